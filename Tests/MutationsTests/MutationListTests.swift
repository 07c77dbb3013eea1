import Foundation
import Testing

@testable import Mutations

struct MutationListTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  @Test func `every listed mutation replaces a text that occurs exactly once in its file`() throws {
    let package = try MutatedPackage(root: Self.root)
    let (texts, lines, mistakes) = try package.mutatedFiles()
    #expect(mistakes.isEmpty, "\(mistakes.joined(separator: "\n"))")
    #expect(lines.count == package.lists.reduce(0) { $0 + $1.mutations.count })
    #expect(lines.count >= 150)
    #expect(texts.keys.allSatisfy { $0.hasPrefix("Sources/") })
  }

  @Test func `a mutation whose original text is missing or occurs twice is reported`() throws {
    let list = try MutationList(
      module: "Rooms",
      text: """
        tests RoomsTests
        file Door.swift
        sees The door is open.
        - isClosed
        + isOpen
        sees The door has no key.
        - key
        + lock
        """)
    let source = MutatedSource("if isClosed || isClosed { }", list.mutations)
    #expect(
      source.mistakes == [
        "Rooms:1: Door.swift contains \"isClosed\" 2 times, not once. Bring the list up to date.",
        "Rooms:2: Door.swift contains \"key\" 0 times, not once. Bring the list up to date.",
      ])
  }

  @Test func `several mutations of one file become switches in one source text`() throws {
    let list = try MutationList(
      module: "Rooms",
      text: """
        file Door.swift
        sees One more.
        - count < 3
        + count <= 3
        sees One less.
        - count < 3
        + count < 2
        sees The door stays open.
        - { close() }
        + { }
        """)
    let source = MutatedSource("while count < 3 {\n  close()\n}", list.mutations)
    #expect(source.mistakes.isEmpty)
    #expect(
      source.text == """
        while (isMutant(1) ? (count <= 3) : ((isMutant(2) ? (count < 2) : (count < 3)))) {
          if isMutant(3) {  } else { close() }
        }
        """)
    #expect(source.lines == [1: 1, 2: 1, 3: 2])
  }

  @Test func `a line that belongs to no mutation is refused`() {
    #expect(throws: MutationList.Mistake.self) { try MutationList(module: "Rooms", text: "+ nothing before it") }
    #expect(throws: MutationList.Mistake.self) { try MutationList(module: "Rooms", text: "file Door.swift\n- key") }
    #expect(throws: MutationList.Mistake.self) { try MutationList(module: "Rooms", text: "what is this") }
  }
}

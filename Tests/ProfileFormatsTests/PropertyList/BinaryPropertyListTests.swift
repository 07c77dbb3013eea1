import Foundation
import NetworkConditions
import Testing

@testable import ProfileFormats

struct BinaryPropertyListTests {
  private static func read(_ list: Any) throws -> JSONValue {
    let data = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
    return try BinaryPropertyList.parse(Array(data), file: "a.plist")
  }

  @Test func `each value of a binary property list is read as Foundation writes it`() throws {
    let numbers = [0, 255, 256, 65_535, 65_536, 4_294_967_295, 4_294_967_296, -1, .min, .max]
    #expect(try Self.read(numbers) == .array(numbers.map { .number("\($0)") }))
    #expect(try Self.read([1.5, -0.25]) == .array([.number("1.5"), .number("-0.25")]))
    #expect(try Self.read([true, false]) == .array([.bool(true), .bool(false)]))
    let texts = ["", "fourteen bytes", "fifteen bytes..", String(repeating: "x", count: 300), "東京 𠮷"]
    #expect(try Self.read(texts) == .array(texts.map { .string($0) }))
    #expect(try Self.read(["a": ["b": "c"]]) == ["a": ["b": .string("c")]])
    #expect(try Self.read([Date(timeIntervalSince1970: 0), Data([1])] as [Any]) == .array([.null, .null]))
    let many = (0..<300).map { "\($0)" }
    #expect(try Self.read(many) == .array(many.map { .string($0) }))
    guard case .object(let members) = try Self.read(Dictionary(uniqueKeysWithValues: many.map { ($0, $0) })) else {
      Issue.record("not a dictionary")
      return
    }
    #expect(members.count == 300 && members.allSatisfy { $0.value == .string($0.key) })
  }

  @Test(arguments: [(0x10, true), (0x13, true), (0x14, false), (0x23, false)])
  func `a long value's length is a whole number of one to eight bytes`(marker: UInt8, isRead: Bool) throws {
    // One text of one character, at byte 8; the table with its offset; the trailer.
    let length = [UInt8](repeating: 0, count: (1 << Int(marker & 0x0F)) - 1) + [1]
    let value = [0x5F, marker] + length + Array("a".utf8)
    var bytes = Array("bplist00".utf8) + value + [8] + [0, 0, 0, 0, 0, 0, 1, 1]
    for number in [1, 0, UInt8(8 + value.count)] { bytes += [UInt8](repeating: 0, count: 7) + [number] }
    #expect((try? BinaryPropertyList.parse(bytes, file: "a")) == (isRead ? .string("a") : nil))
  }

  @Test func `a real number of four bytes is read as its shortest decimal form`() throws {
    // One value, 0.1 as a float, at byte 8; the table with its offset; the trailer.
    var bytes = Array("bplist00".utf8) + [0x22, 0x3D, 0xCC, 0xCC, 0xCD, 8] + [0, 0, 0, 0, 0, 0, 1, 1]
    for number: UInt8 in [1, 0, 13] { bytes += [UInt8](repeating: 0, count: 7) + [number] }
    #expect(try BinaryPropertyList.parse(bytes, file: "a") == .number("0.1"))
    let long = Array("bplist00".utf8) + [0x24] + [UInt8](repeating: 0, count: 16) + [8] + bytes[14...].dropLast() + [25]
    let error = #expect(throws: ProfileError.self) { try BinaryPropertyList.parse(long, file: "a") }
    #expect(error?.description.contains("a real number of 16 bytes") == true, "\(String(describing: error))")
    for (place, value) in [(8, 0x20), (8, 0x15), (8, 0xE0), (13, 7), (13, 13), (20, 0), (21, 9), (29, 0), (45, 40)] {
      var broken = bytes
      broken[place] = UInt8(value)
      #expect(throws: ProfileError.self, "\(place)") { try BinaryPropertyList.parse(broken, file: "a") }
    }
  }

  @Test(arguments: [(7, false), (8, true), (9, true), (10, false)])
  func `a value of a binary property list lies between its first bytes and its table`(place: UInt8, isRead: Bool) throws
  {
    // Two values of one byte, at bytes 8 and 9; the table at byte 10, whose entry is the value's place; the trailer.
    var bytes = Array("bplist00".utf8) + [0x09, 0x09, place] + [0, 0, 0, 0, 0, 0, 1, 1]
    for number: UInt8 in [1, 0, 10] { bytes += [UInt8](repeating: 0, count: 7) + [number] }
    #expect((try? BinaryPropertyList.parse(bytes, file: "a")) == (isRead ? .bool(true) : nil))
  }
}

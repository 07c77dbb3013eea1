import Foundation
import Testing

@testable import LinkSimulator

struct RoomTests {
  @Test func `no source file of the link simulator imports a module`() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources/LinkSimulator")
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var count = 0
    for case let file as URL in files where file.pathExtension == "swift" {
      count += 1
      let text = try String(contentsOf: file, encoding: .utf8)
      #expect(!text.split(separator: "\n").contains { $0.hasPrefix("import ") || $0.contains(" import ") }, "\(file)")
    }
    #expect(count > 30)
  }

  @Test func `the structures of a connection, a request and a packet stay below fixed sizes`() {
    // Beside its record, an idle connection keeps two rings of 64 segments at most, and a few small arrays.
    let end = MemoryLayout<Connection.End>.stride + 64 * MemoryLayout<SentSegment>.stride
    #expect(MemoryLayout<Connection>.stride + 2 * end < 8_192)
    #expect(MemoryLayout<LinkSimulator.Stream>.stride < 512)
    // A packet in flight takes one and a half cache lines.
    #expect(MemoryLayout<Link.Slot>.stride <= 96)
  }

  @Test func `after all requests have ended no packet is left in the network`() {
    var harness = Harness(
      .symmetric(.megabitsPerSecond(3), delay: .milliseconds(20), loss: .independent(.percent(3)), queue: 10), seed: 8)
    for number in 0..<40 {
      harness.get(
        Int64(number) * 3_000, key: UInt64(number), host: "\(number % 3).example", isSecure: number % 2 == 0,
        version: number % 4 == 0 ? .http2 : .http1, needsResolution: true)
    }
    harness.run(until: .seconds(2_000))
    #expect(harness.events.count { $0.kind == .responseReceived } == 40)
    for link in harness.path.wires.map(\.link) {
      #expect(link.occupancy == 0)
      #expect(link.flows.allSatisfy { $0.inNetwork == 0 })
      // Conservation: every accepted packet has arrived or was lost.
      #expect(link.accepted == Int64(link.tail))
    }
    #expect(harness.path.nextEventTime == nil)
    let connections = harness.path.connections
    #expect(connections.indices.allSatisfy { connections[$0, .up].tcp.sender.board.packetsOut == 0 })
  }
}

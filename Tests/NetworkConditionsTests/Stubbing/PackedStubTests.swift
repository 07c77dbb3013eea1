import Testing

@testable import NetworkConditions
import URLLoading

@Suite(.timeLimit(.minutes(10)))
struct PackedStubTests {
  static let gzip = URLSessionTransportTests.gzip
  static let text = Data(String(repeating: "compressed ", count: 1_000).utf8)

  static func fetch(
    _ response: StubResponse
  ) async throws -> (result: Result<(Data, HTTPURLResponse), any Error>, transfer: Transfer) {
    let network = SimulatedNetwork("3G", seed: 1, pace: .immediate)
    defer { network.invalidate() }
    network.stub("/", with: response)
    let result: Result<(Data, HTTPURLResponse), any Error>
    do {
      let (data, answer) = try await network.data(from: URL(string: "http://x.example/")!)
      result = .success((data, try #require(answer as? HTTPURLResponse)))
    } catch {
      result = .failure(error)
    }
    return (result, try #require(network.timeline.transfers.first))
  }

  @Test func `a gzip body arrives decoded in the time of its compressed bytes`() async throws {
    let (result, transfer) = try await Self.fetch(.data(Self.gzip).header("Content-Encoding", "gzip"))
    let (data, response) = try result.get()
    #expect(data == Self.text && response.value(forHTTPHeaderField: "Content-Encoding") == "gzip")
    #expect(response.value(forHTTPHeaderField: "Content-Length") == "\(Self.gzip.count)")
    #expect(transfer.bytesReceived == Int64(Self.gzip.count) && transfer.bytesDecoded == 11_000)
    // A head of equal size, with a meaningless field.
    let (_, plain) = try await Self.fetch(.data(Self.gzip).header("Content-Identity", "gzip"))
    #expect(transfer.elapsed == plain.elapsed && transfer.wire == plain.wire)
  }

  @Test(arguments: ["br", "gzip"])
  func `a stub's Content-Length gives the size of a decoded body on the wire`(encoding: String) async throws {
    let stub = StubResponse.data(Self.text).header("Content-Encoding", encoding)
    let (said, transfer) = try await Self.fetch(stub.header("Content-Length", "120"))
    #expect(try said.get().0 == Self.text)
    #expect(transfer.bytesReceived == 120 && transfer.bytesDecoded == 11_000 && !transfer.isSizeAssumed)
    let (unsaid, assumed) = try await Self.fetch(stub)
    #expect(try unsaid.get().0 == Self.text && unsaid.get().1.value(forHTTPHeaderField: "Content-Length") == nil)
    #expect(assumed.bytesReceived == 11_000 && assumed.isSizeAssumed)
    // A compressed body of another length is not that body.
    let (other, _) = try await Self.fetch(
      .data(Self.gzip).header("Content-Encoding", encoding).header("Content-Length", "120"))
    #expect(try other.get().0 == Self.gzip)
  }

  @Test func `a gzip body can fail after some compressed bytes, and a damaged one fails to decode`() async throws {
    let stub = StubResponse.data(Self.gzip).header("Content-Encoding", "gzip")
    let (lost, transfer) = try await Self.fetch(stub.failing(.networkConnectionLost, afterBytes: 20))
    #expect(throws: URLError.self) { try lost.get() }
    #expect(transfer.bytesReceived == 20 && transfer.bytesDecoded == Int64(20 * 11_000 / Self.gzip.count))
    let (damaged, _) = try await Self.fetch(.data(Self.gzip.dropLast(3)).header("Content-Encoding", "gzip"))
    #expect(performing: { try damaged.get() }, throws: { ($0 as? URLError)?.code == .cannotDecodeRawData })
  }

  @Test func `an answer of which no compressed byte arrived has no decoded size`() async throws {
    let stub = StubResponse.data(Self.gzip).header("Content-Encoding", "gzip")
    for bytes in [0, 1] as [Int64] {
      let (_, transfer) = try await Self.fetch(stub.failing(.networkConnectionLost, afterBytes: bytes))
      #expect(transfer.status == 200 && transfer.bytesReceived == bytes)
      #expect((transfer.bytesDecoded == nil) == (bytes == 0))
    }
  }
}

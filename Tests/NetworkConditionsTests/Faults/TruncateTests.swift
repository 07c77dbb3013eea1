import LinkSimulator
import NetworkConditions
import Testing
import URLLoading

struct TruncateTests {
  /// Loads a response that ends with its connection, which is cut after so many bytes.
  private static func end(after bytes: Int64) async throws -> (body: String?, code: URLError.Code?) {
    let cut = ScheduledFault.request(.get, "/", .truncate(after: .bytes(bytes)))
    return try await Simulation(replaying: FaultSchedule("3G", faults: [cut])) { network in
      network.stub("/", with: .text("hello").framed(.untilClose))
      do {
        return (String(decoding: try await network.data(from: url("http://x.example/")).0, as: UTF8.self), nil)
      } catch let error as URLError {
        return (nil, error.code)
      }
    }.value
  }

  @Test func `a response without a length that breaks off looks whole if its head has arrived`() async throws {
    var bodies: [String] = []
    for bytes in Int64(0)..<200 {
      let (body, code) = try await Self.end(after: bytes)
      if let body { bodies.append(body) } else { #expect(code == .networkConnectionLost && bodies.isEmpty) }
    }
    #expect(bodies.prefix(6) == ["", "h", "he", "hel", "hell", "hello"])
  }
}

import Internals
import NetworkConditions
import URLLoading

/// Clients of realistic size, each in its own file, with a server of stubs that keeps state.
extension PlantedClient {
  static let large: [PlantedClient] = [
    PlantedClient("address book: moves its cursor before its group is written", keepAddresses),
    PlantedClient("trade ticker: has seen an event whose end did not come", followTrades),
    PlantedClient("map download: takes a damaged file that is complete", downloadMaps),
    PlantedClient("notes outbox: keeps the key of a change that it has replaced", keepNotes),
    PlantedClient("photo upload: begins anew in the middle", uploadPhoto),
    PlantedClient("usage tracker: forgets what came while it was sending", trackUsage),
    PlantedClient("pump lease: counts from the answer on", runPump),
    PlantedClient("mail session: renews its token twice", upTo: 2, readMail),
    PlantedClient("ticket checkout: takes any answer for a refund", upTo: 2, buyTickets),
    PlantedClient("chat room: takes its message back, and not its tag", upTo: 2, chat),
  ]
}

/// The URLs and the loader that the large clients share.
enum PlantedServer {
  static let base = url("https://api.example.com")
  /// Over HTTP/1.1, which has fewer points of failure.
  static let plain = url("http://api.example.com")

  private static func url(_ text: String) -> URL {
    guard let url = URL(string: text) else { preconditionFailure("a constant URL") }
    return url
  }

  /// Sends requests for clients that take a closure.
  static func send(_ network: SimulatedNetwork) -> @Sendable (URLRequest) async throws -> (Data, Int) {
    { request in
      let (data, response) = try await network.data(for: request)
      return (data, (response as? HTTPURLResponse)?.statusCode ?? 0)
    }
  }
}

extension URLRequest {
  /// The value of a query item.
  func query(_ name: String) -> String? {
    url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: false) }?.queryItems?.first { $0.name == name }?.value
  }

  /// The body, decoded from JSON.
  func json<Value: Decodable>(_ type: Value.Type) -> Value? {
    httpBody.flatMap { try? JSONDecoder().decode(type, from: $0) }
  }

  /// The key by which a server recognises repeated requests.
  var key: String { value(forHTTPHeaderField: "Idempotency-Key") ?? "" }
}

/// The responses of a server by idempotency key, so that it does each thing once.
struct AnswersByKey {
  private var answers: [String: StubResponse] = [:]

  /// Returns the stored response for a known key, or stores the result of `work`.
  mutating func answer(_ key: String, _ work: () -> StubResponse) -> StubResponse {
    if let known = answers[key] { return known }
    let answer = work()
    answers[key] = answer
    return answer
  }
}

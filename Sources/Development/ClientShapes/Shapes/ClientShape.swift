import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The session, server address and clock of a client, which knows no simulator.
package struct ClientSurroundings: @unchecked Sendable {
  package let session: URLSession
  package let base: URL
  /// For clients that take a clock.
  package let clock: any Clock<Duration>

  package init(session: URLSession, base: URL, clock: any Clock<Duration>) {
    self.session = session
    self.base = base
    self.clock = clock
  }
}

/// A way to write a client.
package struct ClientShape: @unchecked Sendable {
  package let name: String
  /// Whether it is one of the fourteen most common ones.
  package let isRequired: Bool
  /// Texts that the result of an exact run must contain, where they are easily known.
  package let expected: [String]
  /// Whether it uses randomness, so that no two runs in real time are alike.
  package let isChance: Bool
  package let run: @Sendable (ClientSurroundings) async throws -> String

  init(
    _ name: String, required: Bool = false, expected: [String] = [], chance: Bool = false,
    _ run: @escaping @Sendable (ClientSurroundings) async throws -> String
  ) {
    self.name = name
    isRequired = required
    self.expected = expected
    isChance = chance
    self.run = run
  }

  package static let all: [ClientShape] =
    concurrencyShapes + callbackShapes + dispatchShapes + threadShapes + posixShapes + chanceShapes
}

struct HTTPError: Error, Equatable {
  let status: Int
}

/// The usual check of a completion handler's arguments.
func result(_ data: Data?, _ response: URLResponse?, _ error: Error?) -> Result<Data, Error> {
  if let error { return .failure(error) }
  guard let response = response as? HTTPURLResponse else { return .failure(URLError(.badServerResponse)) }
  guard response.statusCode == 200 else { return .failure(HTTPError(status: response.statusCode)) }
  return .success(data ?? Data())
}

func checked(_ pair: (Data, URLResponse)) throws -> Data { try result(pair.0, pair.1, nil).get() }

func request(_ url: URL, timeout: TimeInterval = 10) -> URLRequest {
  URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: timeout)
}

func ms(_ from: Date) -> Int { Int((Date().timeIntervalSince(from) * 1000).rounded()) }

extension Duration {
  var ms: Int { Int((Double(components.seconds) * 1000 + Double(components.attoseconds) / 1e15).rounded()) }
}

func short(_ error: Error) -> String {
  if let error = error as? URLError { return "URLError \(error.code.rawValue)" }
  if let error = error as? HTTPError { return "HTTP \(error.status)" }
  if error is CancellationError { return "cancelled" }
  return "\(type(of: error))"
}

/// Calls a callback-based client and waits for its result.
func waiting<Value>(_ body: (@escaping (Value) -> Void) -> Void) async -> Value {
  await withCheckedContinuation { continuation in body { continuation.resume(returning: $0) } }
}

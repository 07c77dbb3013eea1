package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// A small client as people first write it: it rethrows every error.
///
/// Each failure is an error of the network or a decoder. So an exploration finds many failures in one run, and resets
/// fail differently from truncations.
package struct RethrowingClient: Sendable {
  package let name: String
  /// The number of faults it survives.
  package let tolerance: Int
  private let body: @Sendable (Calls) async throws -> Void

  /// The session, URL and clock that a client uses.
  private struct Calls: Sendable {
    let session: URLSession
    let base: URL
    let clock: any Clock<Duration>

    func request(_ path: String, method: String = "GET") -> URLRequest {
      var request = URLRequest(url: base.appendingPathComponent(path), timeoutInterval: 20)
      request.httpMethod = method
      return request
    }

    /// - Throws: also ``UnexpectedStatus``.
    func send(_ path: String, method: String = "GET", body: Data? = nil) async throws -> Data {
      var request = request(path, method: method)
      request.httpBody = body
      let (data, response) = try await session.data(for: request)
      let status = (response as? HTTPURLResponse)?.statusCode ?? 0
      guard status == 200 else { throw UnexpectedStatus(code: status) }
      return data
    }

    func numbers(_ path: String) async throws -> [Int] {
      try JSONDecoder().decode([Int].self, from: await send(path))
    }
  }

  /// A response without status 200.
  package struct UnexpectedStatus: Error {
    package let code: Int
  }

  /// A body that differs from the server's.
  package struct WrongBody: Error {}

  /// The responses that all clients expect, by path.
  package static let answers = ["numbers": "[1,2,3]", "more": "[4,5,6,7]", "lines": "one\ntwo\nthree\n"]

  private init(_ name: String, surviving tolerance: Int = 0, _ body: @escaping @Sendable (Calls) async throws -> Void) {
    (self.name, self.tolerance, self.body) = (name, tolerance, body)
  }

  /// Runs once against a server that has ``answers`` and accepts a `POST` to `note`.
  package func run(_ session: URLSession, base: URL, clock: any Clock<Duration>) async throws {
    try await body(Calls(session: session, base: base, clock: clock))
  }

  package static let all = [
    RethrowingClient("decodes what comes, whatever the status") { calls in
      let (data, _) = try await calls.session.data(for: calls.request("numbers"))
      guard try JSONDecoder().decode([Int].self, from: data) == [1, 2, 3] else { throw WrongBody() }
    },
    RethrowingClient("makes one request after another on one connection") { calls in
      guard try await calls.numbers("numbers").count == 3 else { throw WrongBody() }
      guard try await calls.numbers("more").count == 4 else { throw WrongBody() }
    },
    RethrowingClient("makes two requests side by side") { calls in
      async let one = calls.numbers("numbers")
      async let other = calls.numbers("more")
      guard try await (one + other).count == 7 else { throw WrongBody() }
    },
    RethrowingClient("tries again once", surviving: 1) { calls in
      for attempt in 0... {
        do {
          guard try await calls.numbers("numbers").count == 3 else { throw WrongBody() }
          return
        } catch {
          if attempt == 1 { throw error }
          try await calls.clock.sleep(for: .seconds(1))
        }
      }
    },
    RethrowingClient("uploads") { calls in
      _ = try await calls.send("note", method: "POST", body: Data(repeating: 7, count: 40))
    },
    RethrowingClient("reads text to its end") { calls in
      let text = String(decoding: try await calls.send("lines"), as: UTF8.self)
      guard text.hasSuffix("three\n") else { throw WrongBody() }
    },
    RethrowingClient("wraps the error into its own") { calls in
      do {
        guard try await calls.numbers("numbers") == [1, 2, 3] else { throw WrongBody() }
      } catch {
        throw Wrapped(reason: error)
      }
    },
  ]

  /// An error that wraps another.
  private struct Wrapped: Error {
    let reason: any Error
  }
}

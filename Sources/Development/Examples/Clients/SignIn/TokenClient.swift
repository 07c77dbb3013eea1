package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// Sends requests with a token and renews the token when the server refuses it.
package actor TokenClient {
  private var token = "first"
  /// The callers that wait for the refresh under way; `nil` if there is none.
  private var waiters: [CheckedContinuation<Void, Never>]?
  private let ask: @Sendable (URLRequest) async throws -> (Data, Int)
  private let base: URL
  private let variant: Variant

  /// The session ended: the server refuses to renew the token.
  package struct SignedOut: Error {}

  /// - Parameter ask: sends a request and returns the body and status of the response.
  package init(base: URL, variant: Variant, ask: @escaping @Sendable (URLRequest) async throws -> (Data, Int)) {
    (self.base, self.variant, self.ask) = (base, variant, ask)
  }

  /// Returns the response body of a GET request; renews a refused token once.
  package func get(_ path: String) async throws -> Data {
    let used = token
    let (data, status) = try await send(path, used)
    guard status == 401 else { return data }
    switch variant {
    case .planted: token = try await newToken(for: used)
    case .fixed: token = try await sharedToken(for: used)
    }
    return try await send(path, token).data
  }

  private func send(_ path: String, _ token: String) async throws -> (data: Data, status: Int) {
    var request = URLRequest(url: base.appendingPathComponent(path))
    request.setValue(token, forHTTPHeaderField: "X-Session")
    return try await ask(request)
  }

  /// One refresh for all requests that were refused with the same token.
  private func sharedToken(for used: String) async throws -> String {
    if used != token { return token }
    if waiters != nil {
      await withCheckedContinuation { waiters?.append($0) }
      if used == token { throw URLError(.userAuthenticationRequired) }
      return token
    }
    waiters = []
    defer {
      for waiter in waiters ?? [] { waiter.resume() }
      waiters = nil
    }
    token = try await newToken(for: used)
    return token
  }

  private func newToken(for used: String) async throws -> String {
    var request = URLRequest(url: base.appendingPathComponent("refresh"))
    request.httpMethod = "POST"
    request.setValue(used, forHTTPHeaderField: "X-Session")
    let (data, status) = try await ask(request)
    if status == 403 { throw SignedOut() }
    guard status == 200 else { throw URLError(.badServerResponse) }
    return String(decoding: data, as: UTF8.self)
  }
}

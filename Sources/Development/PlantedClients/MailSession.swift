package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// Shows a signed-in user's mail and appointments, and renews the token when the server refuses it.
///
/// Its mistake: each attempt to renew the token has its own identifier. If the response to a renewal is lost, the
/// server takes the second attempt for a stolen token and signs everybody out. Two faults show it: a refused token and
/// a lost response.
package actor MailSession {
  /// Sends a request and returns the body and status of the response.
  package typealias Send = @Sendable (URLRequest) async throws -> (Data, Int)

  package enum State: Hashable, Sendable {
    case signedIn
    /// The server does not accept the token.
    case signedOut
  }

  private let base: URL
  private let send: Send
  private let policy: RenewalPolicy
  private let pause: @Sendable (Duration) async throws -> Void
  private var tokens: TokenPair
  private var renewal: Renewal?
  private var renewalCount = 0
  package private(set) var state = State.signedIn

  /// The callers that wait for the token renewal under way.
  private struct Renewal {
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  package init(
    base: URL, tokens: TokenPair, clock: any Clock<Duration>, policy: RenewalPolicy = RenewalPolicy(),
    send: @escaping Send
  ) {
    (self.base, self.tokens, self.policy, self.send) = (base, tokens, policy, send)
    pause = { try await clock.sleep(for: $0) }
  }

  // MARK: Pages

  /// The contents of the first page, loaded concurrently.
  ///
  /// - Throws: ``MailError``, or the network's error.
  package func overview() async throws -> Overview {
    async let letters = get([Letter].self, "mail", query: ["box": "inbox", "limit": "3"])
    async let appointments = get([Appointment].self, "calendar", query: ["day": "today"])
    return Overview(letters: try await letters, appointments: try await appointments)
  }

  /// One letter with its text.
  package func letter(_ id: Int) async throws -> Letter {
    try await get(Letter.self, "mail/\(id)", query: [:])
  }

  /// Marks a letter as read, or unread.
  package func mark(_ id: Int, read isRead: Bool) async throws {
    var request = try makeRequest("mail/\(id)/flags", query: [:])
    request.httpMethod = "PUT"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = try JSONEncoder().encode(["read": isRead])
    _ = try await authorized(request)
  }

  /// The letters that contain a text, loaded page by page up to a limit.
  package func search(_ text: String, limit: Int = 40) async throws -> [Letter] {
    var found: [Letter] = []
    var cursor: Int?
    repeat {
      var query = ["q": text, "limit": "20"]
      if let cursor { query["before"] = "\(cursor)" }
      let page = try await get([Letter].self, "mail", query: query)
      found += page
      // The next page begins at the oldest letter. Stop if the server repeats a page, or the loop never ends.
      let oldest = page.map(\.id).min()
      cursor = page.count == 20 && oldest != cursor ? oldest : nil
    } while cursor != nil && found.count < limit
    return Array(found.prefix(limit))
  }

  /// Moves a letter to the trash.
  package func delete(_ id: Int) async throws {
    var request = try makeRequest("mail/\(id)", query: [:])
    request.httpMethod = "DELETE"
    do { _ = try await authorized(request) } catch MailError.refused(404) {
      // Already deleted elsewhere.
    }
  }

  /// Signs out: forgets the tokens even if the server cannot be reached.
  package func signOut() async {
    guard state == .signedIn, var request = try? makeRequest("token", query: [:]) else { return }
    request.httpMethod = "DELETE"
    let access = tokens.access
    state = .signedOut
    tokens = TokenPair(access: "", refresh: "")
    _ = try? await send(Self.signed(request, with: access))
  }

  // MARK: Requests

  private func makeRequest(_ path: String, query: [String: String]) throws -> URLRequest {
    var components = URLComponents(url: base.appendingPathComponent(path), resolvingAgainstBaseURL: false)
    if !query.isEmpty {
      components?.queryItems = query.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) }
    }
    guard let url = components?.url else { throw MailError.unreadable(path) }
    var request = URLRequest(url: url, timeoutInterval: policy.timeout)
    request.setValue("application/json", forHTTPHeaderField: "Accept")
    return request
  }

  private func get<Value: Decodable>(_ type: Value.Type, _ path: String, query: [String: String]) async throws -> Value
  {
    let data = try await authorized(makeRequest(path, query: query))
    do { return try JSONDecoder().decode(type, from: data) } catch { throw MailError.unreadable(path) }
  }

  /// Sends a request with the token; retries once with a new token after a 401.
  private func authorized(_ request: URLRequest) async throws -> Data {
    guard state == .signedIn else { throw MailError.signedOut }
    let used = tokens.access
    let (data, status) = try await send(Self.signed(request, with: used))
    if status != 401 { return try Self.body(data, status) }
    try await renew(after: used)
    let (second, newStatus) = try await send(Self.signed(request, with: tokens.access))
    if newStatus == 401 { throw MailError.forbidden }
    return try Self.body(second, newStatus)
  }

  private static func signed(_ request: URLRequest, with token: String) -> URLRequest {
    var request = request
    request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    return request
  }

  private static func body(_ data: Data, _ status: Int) throws -> Data {
    switch status {
    case 200..<300: return data
    case 403: throw MailError.forbidden
    case 408, 429, 500...: throw MailError.busy(status)
    default: throw MailError.refused(status)
    }
  }

  // MARK: Tokens

  /// Renews the token once for all requests that were refused with it.
  private func renew(after used: String) async throws {
    // Another request has already renewed it.
    if used != tokens.access { return }
    if renewal != nil {
      await withCheckedContinuation { renewal?.waiters.append($0) }
      if state == .signedOut { throw MailError.signedOut }
      if used == tokens.access { throw MailError.notRenewed }
      return
    }
    renewal = Renewal()
    defer {
      let waiters = renewal?.waiters ?? []
      renewal = nil
      for waiter in waiters { waiter.resume() }
    }
    tokens = try await newTokens()
  }

  private func newTokens() async throws -> TokenPair {
    var failures = 0
    while true {
      do {
        let (data, status) = try await send(try renewalRequest())
        switch status {
        case 200:
          guard let pair = try? JSONDecoder().decode(TokenPair.self, from: data) else {
            throw MailError.unreadable("token")
          }
          return pair
        case 400, 403:
          state = .signedOut
          throw MailError.signedOut
        default: throw try Self.failure(status)
        }
      } catch  where policy.isWorthAnotherTry(error) {
        failures += 1
        guard failures < policy.attempts else { throw error }
        try await pause(policy.pause(after: failures))
      }
    }
  }

  private static func failure(_ status: Int) throws -> MailError {
    _ = try body(Data(), status)
    return .refused(status)
  }

  private func renewalRequest() throws -> URLRequest {
    renewalCount += 1
    var request = try makeRequest("token", query: [:])
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    // The server recognises a repeated request by this.
    request.setValue("renewal-\(renewalCount)", forHTTPHeaderField: "X-Request-ID")
    request.httpBody = try JSONEncoder().encode(["refresh": tokens.refresh])
    return request
  }
}

/// The attempts and the timeout of a token renewal.
package struct RenewalPolicy: Sendable {
  var attempts = 2
  var timeout: TimeInterval = 10

  package init() {}

  func pause(after failures: Int) -> Duration { .milliseconds(700) * failures }

  func isWorthAnotherTry(_ error: any Error) -> Bool {
    if Task.isCancelled { return false }
    return switch error {
    case let error as URLError: error.code != .cancelled
    case MailError.busy: true
    default: false
    }
  }
}

/// Why a request failed.
package enum MailError: Error, Hashable, Sendable {
  /// The user is signed out.
  case signedOut
  /// The server refuses a new token.
  case forbidden
  /// Another caller's token renewal failed; that caller gets the reason.
  case notRenewed
  /// The server is busy: retry later.
  case busy(Int)
  /// The server responded with another status.
  case refused(Int)
  /// A response could not be decoded.
  case unreadable(String)
}

/// A token for requests, and a single-use token that renews the pair.
package struct TokenPair: Codable, Hashable, Sendable {
  package let access: String
  package let refresh: String

  package init(access: String, refresh: String) {
    (self.access, self.refresh) = (access, refresh)
  }
}

/// A letter; lists omit its text.
package struct Letter: Codable, Hashable, Sendable {
  package let id: Int
  package let subject: String
  package let text: String?
}

/// A calendar entry.
package struct Appointment: Codable, Hashable, Sendable {
  package let title: String
  package let hour: Int
}

/// The contents of the first page.
package struct Overview: Hashable, Sendable {
  package let letters: [Letter]
  package let appointments: [Appointment]
}

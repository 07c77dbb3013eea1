package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// Runs a pump while this station holds its only lease: two pumps at once would burst the pipe.
///
/// Its mistake: the lease time counts from the response, not from the request. After a slow response this station
/// continues when another station already has the lease.
package actor PumpLease<Time: Clock> where Time.Duration == Duration {
  private let base: URL
  private let session: URLSession
  private let station: String
  private let clock: Time
  private let terms: LeaseTerms
  private let pump: @Sendable () -> Void
  private var held: Held?
  /// The events to show on the display.
  package private(set) var log: [LeaseEvent] = []

  private struct Held {
    var token: Int
    var end: Time.Instant
    /// When to renew the lease.
    var renewal: Time.Instant
  }

  /// - Parameter pump: runs the pump for one stroke.
  package init(
    base: URL, session: URLSession, station: String, clock: Time, terms: LeaseTerms = LeaseTerms(),
    pump: @escaping @Sendable () -> Void
  ) {
    (self.base, self.session, self.station, self.clock, self.terms) = (base, session, station, clock, terms)
    self.pump = pump
  }

  /// Makes up to `strokes` strokes while the lease lasts, then hands it back.
  ///
  /// - Returns: the number of strokes made.
  /// - Throws: ``LeaseError`` or the network's error if the lease was never granted; or the cancellation.
  package func work(strokes: Int) async throws -> Int {
    try await acquire()
    var made = 0
    while made < strokes {
      try await clock.sleep(for: terms.pause)
      guard let lease = held else { break }
      if clock.now >= lease.renewal { await renew() }
      guard let lease = held, clock.now < lease.end else {
        note(.expired)
        break
      }
      pump()
      made += 1
    }
    await release()
    return made
  }

  // MARK: The lease

  private func acquire() async throws {
    for attempt in 1...terms.attempts {
      do {
        let grant = try await ask("POST", "leases/pump", LeaseRequest(station: station, token: nil))
        hold(grant)
        note(.acquired)
        return
      } catch  where attempt < terms.attempts && terms.isWorthAnotherTry(error) {
        note(.failed)
        try await clock.sleep(for: terms.pause(after: attempt))
      }
    }
  }

  /// Renews the lease if possible; otherwise it is used until it expires.
  private func renew() async {
    guard let lease = held else { return }
    do {
      let grant = try await ask("PUT", "leases/pump", LeaseRequest(station: station, token: lease.token))
      hold(grant)
      note(.renewed)
    } catch LeaseError.taken {
      held = nil
      note(.lost)
    } catch {
      note(.failed)
      // The next stroke retries.
      if Task.isCancelled { held = nil }
    }
  }

  private func hold(_ grant: LeaseGrant) {
    let end = clock.now.advanced(by: .milliseconds(grant.milliseconds))
    let margin = min(terms.margin, .milliseconds(grant.milliseconds / 2))
    held = Held(token: grant.token, end: end, renewal: end.advanced(by: .zero - margin))
  }

  private func release() async {
    guard let lease = held else { return }
    // The pump stops here, even if the server cannot be reached.
    held = nil
    for attempt in 1...terms.attempts {
      do {
        try await handBack(lease.token)
        note(.released)
        return
      } catch {
        guard attempt < terms.attempts, terms.isWorthAnotherTry(error) else { break }
        guard (try? await clock.sleep(for: terms.pause(after: attempt))) != nil else { break }
      }
    }
    // The lease expires by itself.
    note(.failed)
  }

  private func handBack(_ token: Int) async throws {
    let request = try request("DELETE", "leases/pump", LeaseRequest(station: station, token: token))
    let (_, response) = try await session.data(for: request)
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    switch status {
    // An attempt whose response was lost has handed the lease back.
    case 200..<300, 404, 409: return
    case 408, 429, 500...: throw LeaseError.busy(status)
    default: throw LeaseError.refused(status)
    }
  }

  private func note(_ event: LeaseEvent) { log.append(event) }

  // MARK: The display

  /// Whether this station believes that it holds the lease.
  package var isHeld: Bool { held.map { clock.now < $0.end } ?? false }

  private struct Holder: Decodable {
    let station: String?
  }

  /// The station that holds the lease; `nil` if none does or the server does not say.
  package func holder() async -> String? {
    for attempt in 1...terms.attempts {
      do {
        let request = URLRequest(url: base.appendingPathComponent("leases/pump"), timeoutInterval: terms.timeout)
        let (data, response) = try await session.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        switch status {
        case 200: return try JSONDecoder().decode(Holder.self, from: data).station
        case 404: return nil
        case 408, 429, 500...: throw LeaseError.busy(status)
        default: throw LeaseError.refused(status)
        }
      } catch {
        guard attempt < terms.attempts, terms.isWorthAnotherTry(error) else { return nil }
        guard (try? await clock.sleep(for: terms.pause(after: attempt))) != nil else { return nil }
      }
    }
    return nil
  }

  // MARK: Requests

  private func ask(_ method: String, _ path: String, _ body: LeaseRequest) async throws -> LeaseGrant {
    let (data, response) = try await session.data(for: try request(method, path, body))
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    switch status {
    case 200, 201: break
    case 409, 412: throw LeaseError.taken
    case 408, 429, 500...: throw LeaseError.busy(status)
    default: throw LeaseError.refused(status)
    }
    guard let grant = try? JSONDecoder().decode(LeaseGrant.self, from: data), grant.isSound else {
      throw LeaseError.unreadable
    }
    return grant
  }

  private func request(_ method: String, _ path: String, _ body: LeaseRequest) throws -> URLRequest {
    var request = URLRequest(url: base.appendingPathComponent(path), timeoutInterval: terms.timeout)
    request.httpMethod = method
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = try JSONEncoder.sorted.encode(body)
    return request
  }
}

/// The time between strokes, the renewal margin and the request timeout.
package struct LeaseTerms: Sendable {
  var pause = Duration.milliseconds(800)
  var margin = Duration.milliseconds(1800)
  var attempts = 3
  var timeout: TimeInterval = 15

  package init() {}

  func pause(after failures: Int) -> Duration { .milliseconds(500) * failures }

  func isWorthAnotherTry(_ error: any Error) -> Bool {
    if Task.isCancelled { return false }
    return switch error {
    case let error as URLError: error.code != .cancelled
    case LeaseError.busy, LeaseError.taken: true
    default: false
    }
  }
}

/// An event in a lease's life.
package enum LeaseEvent: Hashable, Sendable {
  case acquired, renewed, lost, expired, released, failed

  /// The text on the display.
  package var words: String {
    switch self {
    case .acquired: "The pump may run."
    case .renewed: "The pump may run on."
    case .lost: "Another station has the pump."
    case .expired: "The time is over."
    case .released: "The pump is free."
    case .failed: "The server did not answer as it should."
    }
  }
}

/// Why no lease was granted.
package enum LeaseError: Error, Hashable, Sendable {
  /// Another station holds the lease.
  case taken
  /// The server is busy: retry later.
  case busy(Int)
  /// The server responded with another status.
  case refused(Int)
  /// The response could not be decoded.
  case unreadable

  /// Whether the user may retry later.
  package var isTemporary: Bool {
    switch self {
    case .taken, .busy: true
    case .refused, .unreadable: false
    }
  }
}

/// A request for a lease.
package struct LeaseRequest: Codable, Hashable, Sendable {
  package let station: String
  /// The lease to renew or hand back.
  package let token: Int?
}

/// A granted lease.
package struct LeaseGrant: Codable, Hashable, Sendable {
  package let token: Int
  /// The length of the lease.
  package let milliseconds: Int
  /// A checksum, token plus milliseconds: a damaged response must not run a pump.
  package let sum: Int

  private enum CodingKeys: String, CodingKey {
    case token, milliseconds = "ms", sum
  }

  package init(token: Int, milliseconds: Int) {
    (self.token, self.milliseconds, sum) = (token, milliseconds, token + milliseconds)
  }

  var isSound: Bool { milliseconds > 0 && token + milliseconds == sum }
}

package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// Lets a pump run while this station holds the lease on it, of which there is one: two pumps at once would burst the pipe.
///
/// Its mistake: the lease is counted from when its answer has come, and not from when it was asked for. Where the answer
/// takes long, this station goes on when the lease is another's already.
package actor PumpLease<Time: Clock> where Time.Duration == Duration {
  private let base: URL
  private let session: URLSession
  private let station: String
  private let clock: Time
  private let terms: LeaseTerms
  private let pump: @Sendable () -> Void
  private var held: Held?
  /// What has happened, for the display.
  package private(set) var log: [LeaseEvent] = []

  private struct Held {
    var token: Int
    var end: Time.Instant
    /// When it is to be renewed.
    var renewal: Time.Instant
  }

  /// - Parameter pump: lets the pump run for one stroke, now.
  package init(
    base: URL, session: URLSession, station: String, clock: Time, terms: LeaseTerms = LeaseTerms(),
    pump: @escaping @Sendable () -> Void
  ) {
    (self.base, self.session, self.station, self.clock, self.terms) = (base, session, station, clock, terms)
    self.pump = pump
  }

  /// Works for so many strokes, as long as the lease can be had, and hands it back.
  ///
  /// - Returns: how many strokes were made.
  /// - Throws: ``LeaseError``, or the network's error, where the lease was never had; or the cancellation.
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

  /// Makes the lease last longer, if that can be had; otherwise it is used up to its end.
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
      // The next stroke tries again.
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
    // From here on the pump stands still, whether the server hears of it or not.
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
    // It ends by itself.
    note(.failed)
  }

  private func handBack(_ token: Int) async throws {
    let request = try request("DELETE", "leases/pump", LeaseRequest(station: station, token: token))
    let (_, response) = try await session.data(for: request)
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    switch status {
    // It was handed back by an attempt whose answer was lost.
    case 200..<300, 404, 409: return
    case 408, 429, 500...: throw LeaseError.busy(status)
    default: throw LeaseError.refused(status)
    }
  }

  private func note(_ event: LeaseEvent) { log.append(event) }

  // MARK: The display

  /// Whether the lease is held, as far as is known.
  package var isHeld: Bool { held.map { clock.now < $0.end } ?? false }

  private struct Holder: Decodable {
    let station: String?
  }

  /// The station that has the lease; `nil` where nobody has it, or nobody can say.
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

/// How often there is a stroke, when the lease is renewed, and how long the server is waited for.
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

/// What has happened to a lease.
package enum LeaseEvent: Hashable, Sendable {
  case acquired, renewed, lost, expired, released, failed

  /// What the display says.
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

/// Why there is no lease.
package enum LeaseError: Error, Hashable, Sendable {
  /// Another station has it.
  case taken
  /// The server asks to come again later.
  case busy(Int)
  /// The server answers with another status.
  case refused(Int)
  /// The answer is not what it should be.
  case unreadable

  /// Whether it is worth to ask again later, by hand.
  package var isTemporary: Bool {
    switch self {
    case .taken, .busy: true
    case .refused, .unreadable: false
    }
  }
}

/// A question for a lease.
package struct LeaseRequest: Codable, Hashable, Sendable {
  package let station: String
  /// The lease that is renewed or handed back.
  package let token: Int?
}

/// A lease that was granted.
package struct LeaseGrant: Codable, Hashable, Sendable {
  package let token: Int
  /// How long it lasts.
  package let milliseconds: Int
  /// The sum of both: an answer that was damaged must not let a pump run.
  package let sum: Int

  private enum CodingKeys: String, CodingKey {
    case token, milliseconds = "ms", sum
  }

  package init(token: Int, milliseconds: Int) {
    (self.token, self.milliseconds, sum) = (token, milliseconds, token + milliseconds)
  }

  var isSound: Bool { milliseconds > 0 && token + milliseconds == sum }
}

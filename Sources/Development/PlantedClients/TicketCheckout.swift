package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// Sells tickets: reserves seats, takes the money, issues tickets; undoes these steps when one fails.
///
/// Its mistake: when it undoes a step, any response counts as success, even "busy". Two faults show it: tickets that
/// are not issued and a refund that is refused.
package actor TicketCheckout {
  /// Sends a request and returns the body and status of the response.
  package typealias Send = @Sendable (URLRequest) async throws -> (Data, Int)

  private let base: URL
  private let send: Send
  private let policy: CheckoutPolicy
  private let pause: @Sendable (Duration) async throws -> Void
  /// The completed steps that are not undone.
  private var done: [Step] = []
  package private(set) var history: [String] = []

  private enum Step: Hashable, Sendable {
    case reserved(String)
    case paid(String)
  }

  package init(
    base: URL, clock: any Clock<Duration>, policy: CheckoutPolicy = CheckoutPolicy(), send: @escaping Send
  ) {
    (self.base, self.policy, self.send) = (base, policy, send)
    pause = { try await clock.sleep(for: $0) }
  }

  /// Buys the basket's seats; never throws, since callers cannot repair a step.
  package func buy(_ basket: Basket) async -> Purchase {
    done = []
    do {
      let reservation = try await reserve(basket)
      guard reservation.cents == basket.cents else { throw CheckoutError.priceChanged(reservation.cents) }
      let payment = try await pay(basket, for: reservation)
      let tickets = try await issue(reservation, payment, basket)
      done = []
      return .bought(tickets)
    } catch {
      history.append("failed")
      return await undo(basket) ? .cancelled(words(for: error)) : .unclear(words(for: error))
    }
  }

  // MARK: Seats

  private struct SeatPlan: Decodable {
    let rows: [String: [Int]]
  }

  /// The free seats, nearest to the stage first; reading the plan reserves nothing.
  package func freeSeats(of show: String, atMost limit: Int = 8) async throws -> [String] {
    for attempt in 1...policy.attempts {
      do {
        let (data, status) = try await send(try request("GET", "shows/\(show)/seats", [:], key: show))
        switch status {
        case 200:
          guard let plan = try? JSONDecoder().decode(SeatPlan.self, from: data) else {
            throw CheckoutError.unreadable("seats")
          }
          let seats = plan.rows.sorted { $0.key < $1.key }.flatMap { row, numbers in numbers.map { "\(row)\($0)" } }
          return Array(seats.prefix(limit))
        case 408, 429, 500...: throw CheckoutError.busy(status)
        default: throw CheckoutError.refused(status)
        }
      } catch  where attempt < policy.attempts && policy.isWorthAnotherTry(error) {
        try await pause(policy.pause(after: attempt))
      }
    }
    return []
  }

  // MARK: Steps

  private struct Reservation: Decodable {
    let id: String
    let cents: Int
  }
  private struct Payment: Decodable {
    let id: String
  }

  private func reserve(_ basket: Basket) async throws -> Reservation {
    // A reservation without a response may exist, so undo steps by order number, not by response.
    done.append(.reserved(basket.order))
    let body = ["order": basket.order, "seats": basket.seats.joined(separator: " ")]
    let reservation = try await step(
      Reservation.self, "reservations", body, key: "\(basket.order)-reserve")
    history.append("reserved")
    return reservation
  }

  private func pay(_ basket: Basket, for reservation: Reservation) async throws -> Payment {
    done.append(.paid(basket.order))
    let body = ["order": basket.order, "cents": "\(reservation.cents)", "card": basket.card]
    let payment = try await step(Payment.self, "payments", body, key: "\(basket.order)-pay")
    history.append("paid")
    return payment
  }

  private func issue(_ reservation: Reservation, _ payment: Payment, _ basket: Basket) async throws -> [Ticket] {
    let body = ["order": basket.order, "reservation": reservation.id, "payment": payment.id]
    let tickets = try await step([Ticket].self, "tickets", body, key: "\(basket.order)-issue")
    guard tickets.count == basket.seats.count else { throw CheckoutError.unreadable("tickets") }
    history.append("issued")
    return tickets
  }

  /// Does a step and retries it; its key tells the server that it is the same step.
  private func step<Value: Decodable>(
    _ type: Value.Type, _ path: String, _ body: [String: String], key: String
  ) async throws -> Value {
    var failures = 0
    while true {
      do {
        let (data, status) = try await send(try request("POST", path, body, key: key))
        switch status {
        case 200..<300: break
        case 408, 429, 500...: throw CheckoutError.busy(status)
        default: throw CheckoutError.refused(status)
        }
        do { return try JSONDecoder().decode(type, from: data) } catch { throw CheckoutError.unreadable(path) }
      } catch  where policy.isWorthAnotherTry(error) {
        failures += 1
        guard failures < policy.attempts else { throw error }
        try await pause(policy.pause(after: failures))
      }
    }
  }

  // MARK: Undoing

  /// Undoes the steps, the last first.
  ///
  /// - Returns: whether all are undone; the rest is kept for ``undoRest(of:)``.
  private func undo(_ basket: Basket) async -> Bool {
    while let step = done.last {
      guard await undo(step) else { return false }
      done.removeLast()
    }
    return true
  }

  private func undo(_ step: Step) async -> Bool {
    let path: String
    let key: String
    switch step {
    case .reserved(let order): (path, key) = ("reservations/\(order)/release", "\(order)-release")
    case .paid(let order): (path, key) = ("payments/\(order)/refund", "\(order)-refund")
    }
    for attempt in 1...policy.undoAttempts {
      do {
        _ = try await send(try request("POST", path, [:], key: key))
        history.append("undone")
        return true
      } catch {
        if Task.isCancelled || attempt == policy.undoAttempts { return false }
        guard (try? await pause(policy.pause(after: attempt))) != nil else { return false }
      }
    }
    return false
  }

  /// Undoes the steps that could not be undone before.
  package func undoRest(of basket: Basket) async -> Bool {
    done.isEmpty ? true : await undo(basket)
  }

  // MARK: Requests

  private func request(_ method: String, _ path: String, _ body: [String: String], key: String) throws -> URLRequest {
    var request = URLRequest(url: base.appendingPathComponent(path), timeoutInterval: policy.timeout)
    request.httpMethod = method
    request.setValue(key, forHTTPHeaderField: "Idempotency-Key")
    if !body.isEmpty {
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      request.httpBody = try JSONEncoder.sorted.encode(body)
    }
    return request
  }

  private func words(for error: any Error) -> String {
    switch error {
    case let error as CheckoutError: error.words
    case let error as URLError where error.code == .notConnectedToInternet: "There is no connection."
    case is URLError: "The shop does not answer."
    default: "It was given up."
    }
  }
}

/// The timeout and the number of attempts of a step.
package struct CheckoutPolicy: Sendable {
  var attempts = 2
  var undoAttempts = 2
  var timeout: TimeInterval = 10

  package init() {}

  func pause(after failures: Int) -> Duration { .milliseconds(600) * failures }

  func isWorthAnotherTry(_ error: any Error) -> Bool {
    if Task.isCancelled { return false }
    return switch error {
    case let error as URLError: error.code != .cancelled
    case CheckoutError.busy: true
    default: false
    }
  }
}

/// The seats to buy.
package struct Basket: Hashable, Sendable {
  package let order: String
  package let seats: [String]
  package let cents: Int
  package let card: String

  package init(order: String, seats: [String], cents: Int, card: String) {
    (self.order, self.seats, self.cents, self.card) = (order, seats, cents, card)
  }
}

package struct Ticket: Codable, Hashable, Sendable {
  package let seat: String
  package let code: Int

  package init(seat: String, code: Int) {
    (self.seat, self.code) = (seat, code)
  }
}

package enum Purchase: Hashable, Sendable {
  /// The tickets were issued.
  case bought([Ticket])
  /// Nothing was bought and nothing is owed, for this reason.
  case cancelled(String)
  /// The result is unknown: ask the shop again.
  case unclear(String)
}

/// Why a step failed.
package enum CheckoutError: Error, Hashable, Sendable {
  case busy(Int)
  case refused(Int)
  case unreadable(String)
  case priceChanged(Int)

  var words: String {
    switch self {
    case .busy: "The shop is busy."
    case .refused(let status): "The shop has refused it (\(status))."
    case .unreadable: "The shop has answered something else."
    case .priceChanged(let cents): "The price is \(cents) now."
    }
  }
}

public import Foundation
import NetworkConditions
import RetryPolicies
import URLLoading

/// The requests of clients in one trial, and when they come.
public struct Workload: Hashable, Sendable, Codable {
  /// When the clients come.
  public enum Arrival: Hashable, Sendable, Codable {
    /// All at one instant, as after an outage or a push message.
    case together
    /// One after another at random, in a Poisson stream of this length.
    case poisson(over: Duration)
    /// One after another at equal distances, over this length.
    case evenly(over: Duration)

    /// How long it takes until all have come.
    var length: Duration {
      switch self {
      case .together: .zero
      case .poisson(let length), .evenly(let length): length
      }
    }
  }

  /// How many clients there are; they share the network's link, and each has connections of its own.
  public var clients: Int
  /// How many requests each sends.
  public var requestsPerClient: Int
  /// How long a client waits after each answer or failure before it sends its next request: a closed loop.
  public var think: TimeDistribution
  /// How long after the beginning of a request a client begins its next one, answered or not: an open loop.
  ///
  /// Exponential times make a Poisson stream of each client. `nil` is a closed loop.
  public var every: TimeDistribution?
  /// When they come.
  public var arrival: Arrival
  /// The method; `POST` is not idempotent.
  public var method: String
  /// The bytes of a request's body.
  public var requestBytes: Int
  /// The bytes of an answer's body, which are zeros unless ``responseBody`` says otherwise.
  public var responseBytes: Int
  /// An answer's body, for a client that decodes it: JSON comes with its `Content-Type`.
  public var responseBody: Data? {
    didSet { if let responseBody { responseBytes = responseBody.count } }
  }
  /// How long a request may take in all; `nil` is as the policy says.
  public var deadline: Duration?
  /// How long one attempt may take of a policy that sets no such limit itself; `nil` is any time.
  public var perTry: Duration?

  /// Creates a workload: one client that asks once, for 2 kB, unless said otherwise.
  public init(
    clients: Int = 1, requestsPerClient: Int = 1, think: TimeDistribution = .seconds(0),
    every: TimeDistribution? = nil, arrival: Arrival = .together, method: String = "GET",
    requestBytes: Int = 0, responseBytes: Int = 2_000, responseBody: Data? = nil, deadline: Duration? = nil,
    perTry: Duration? = nil
  ) {
    self.clients = clients
    self.requestsPerClient = requestsPerClient
    self.think = think
    self.every = every
    self.arrival = arrival
    self.method = method.uppercased()
    self.requestBytes = requestBytes
    self.responseBytes = responseBody?.count ?? responseBytes
    self.responseBody = responseBody
    self.deadline = deadline
    self.perTry = perTry
  }

  /// The policy within the limits of this workload.
  func limited(_ policy: any RetryPolicy) -> any RetryPolicy {
    guard deadline != nil || perTry != nil else { return policy }
    return policy.withRules { rules in
      rules.deadline = deadline ?? rules.deadline
      rules.perTryTimeout = rules.perTryTimeout ?? perTry
    }
  }

  /// Whether carrying a request out twice does no more than carrying it out once.
  var isIdempotent: Bool { HTTPMethods.idempotent.contains(method) }

  /// How many requests, and attempts, a trial has at most: each takes about 3 kB of memory, and its client 8 kB.
  ///
  /// No more than a timeline keeps, since the bytes of an attempt are those of its transfer.
  static let mostRequests = Timeline.mostTransfers
  /// How many bytes of answers are under way at most: a client keeps what it has of one.
  private static let mostBytes = 1 << 30

  /// The reason why it is impossible, in a sentence; `nil` when there is none.
  var problem: String? {
    if !(1...100_000).contains(clients) { return "\(clients) clients: write 1 to 100000" }
    if !(1...10_000).contains(requestsPerClient) {
      return "\(requestsPerClient) requests of each client: write 1 to 10000"
    }
    if requestBytes < 0 || responseBytes < 0 { return "bodies of less than nothing: write sizes from 0 on" }
    if max(requestBytes, responseBytes) > 1 << 30 { return "bodies of more than 1 GiB: write less" }
    if clients * requestsPerClient > Self.mostRequests {
      return
        "\(clients) clients with \(requestsPerClient) requests each: a trial has room for \(Self.mostRequests) requests; "
        + "take fewer of either, and more seeds"
    }
    let atOnce = every == nil ? clients : clients * requestsPerClient
    if responseBytes * atOnce > Self.mostBytes {
      return "\(atOnce) answers of \(responseBytes) bytes that may be under way at once: a trial has room for 1 GiB; "
        + "take fewer clients or smaller answers"
    }
    if method.isEmpty { return "no method: write GET, POST, PUT or another" }
    if let problem = think.problem ?? every?.problem { return "clients that wait for \(problem)" }
    if every != nil, think != .seconds(0) {
      return "clients that think after an answer and do not wait for it: write one of the two"
    }
    if arrival != .together, arrival.length <= .zero { return "arrivals over no time: write for example 10 s" }
    if arrival.length > .longest { return "arrivals over more than a year: write less" }
    if let deadline, deadline <= .zero { return "a deadline of no time: write for example 10 s" }
    if let perTry, perTry <= .zero { return "a try of no time: write for example 1 s" }
    return nil
  }
}

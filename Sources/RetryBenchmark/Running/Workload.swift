public import Foundation
import NetworkConditions
import RetryPolicies
import URLLoading

/// The requests that clients send in one trial, and when they send them.
public struct Workload: Hashable, Sendable, Codable {
  /// When the clients of a trial start.
  public enum Arrival: Hashable, Sendable, Codable {
    /// All clients start at one instant, as after an outage or a push message.
    case together
    /// The clients start at random instants within this time, as a Poisson stream.
    case poisson(over: Duration)
    /// The clients start at equal intervals, spread over this time.
    case evenly(over: Duration)

    /// How long after the first possible start the last client may start.
    var length: Duration {
      switch self {
      case .together: .zero
      case .poisson(let length), .evenly(let length): length
      }
    }
  }

  /// The number of clients; they share the network's link, but no connections.
  public var clients: Int
  /// How many requests each client sends.
  public var requestsPerClient: Int
  /// How long a client waits after each answer or failure before it sends its next request: a closed loop.
  public var think: TimeDistribution
  /// The time between the starts of a client's requests, answered or not: an open loop.
  ///
  /// Exponential times make each client's requests a Poisson stream. `nil` is a closed loop.
  public var every: TimeDistribution?
  /// When the clients start.
  public var arrival: Arrival
  /// The HTTP method of all requests; `POST` is not idempotent.
  public var method: String
  /// The bytes of a request's body.
  public var requestBytes: Int
  /// The bytes of an answer's body: zeros, unless ``responseBody`` gives the body.
  public var responseBytes: Int
  /// The body of each answer, for a client that decodes it; a JSON body gets its `Content-Type`.
  public var responseBody: Data? {
    didSet { if let responseBody { responseBytes = responseBody.count } }
  }
  /// How long a request may take with all its attempts; `nil` keeps the policy's deadline.
  public var deadline: Duration?
  /// How long one attempt may take if the policy sets no such limit; `nil` is no limit.
  public var perTry: Duration?

  /// Creates a workload; by default one client sends one request and receives 2 kB.
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

  /// The policy with this workload's deadline and limit per attempt added to its rules.
  func limited(_ policy: any RetryPolicy) -> any RetryPolicy {
    guard deadline != nil || perTry != nil else { return policy }
    return policy.withRules { rules in
      rules.deadline = deadline ?? rules.deadline
      rules.perTryTimeout = rules.perTryTimeout ?? perTry
    }
  }

  var isIdempotent: Bool { HTTPMethods.idempotent.contains(method) }

  /// The most requests or attempts of a trial; each takes about 3 kB of memory, and its client 8 kB.
  ///
  /// A timeline keeps no more transfers, and the bytes of an attempt are read from its transfer.
  static let mostRequests = Timeline.mostTransfers
  /// The most bytes of all answers under way at once; clients keep received bytes in memory.
  private static let mostBytes = 1 << 30

  var problem: String? {
    if !(1...100_000).contains(clients) { return "\(clients) clients: write 1 to 100000" }
    if !(1...10_000).contains(requestsPerClient) {
      return "\(requestsPerClient) requests of each client: write 1 to 10000"
    }
    if requestBytes < 0 || responseBytes < 0 { return "bodies of a negative size: write 0 or more" }
    if max(requestBytes, responseBytes) > 1 << 30 { return "bodies of more than 1 GiB: write less" }
    if clients * requestsPerClient > Self.mostRequests {
      return
        "\(clients) clients with \(requestsPerClient) requests each: a trial has room for \(Self.mostRequests) requests; "
        + "take fewer of either, and more seeds"
    }
    let atOnce = every == nil ? clients : clients * requestsPerClient
    if responseBytes * atOnce > Self.mostBytes {
      return "\(atOnce) answers of \(responseBytes) bytes that may be in flight at once: a trial has room for 1 GiB; "
        + "take fewer clients or smaller answers"
    }
    if method.isEmpty { return "no method: write GET, POST, PUT or another" }
    if let problem = think.problem ?? every?.problem { return "a waiting time with \(problem)" }
    if every != nil, think != .seconds(0) {
      return "clients that think after an answer and do not wait for it: write one of the two"
    }
    if arrival != .together, arrival.length <= .zero {
      return "arrivals over zero time or less: write for example 10 s"
    }
    if arrival.length > .longest { return "arrivals over more than a year: write less" }
    for (name, limit) in [("deadline", deadline), ("try", perTry)] {
      guard let limit else { continue }
      if limit <= .zero { return "a \(name) of zero or less: write for example 10 s" }
      if limit > .longest { return "a \(name) of more than a year: write less" }
    }
    return nil
  }
}

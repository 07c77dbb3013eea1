/// When does each byte arrive? A whole path: two links, the connections over them, and the requests on those.
///
/// A value that reads no clock. Work goes in at a time; ``nextEventTime`` says when the path wants to run;
/// ``advance(to:)`` runs it and ``drainEvents(_:)`` hands over what happened. All requests of a path share its two links.
///
/// Work handed in at one instant is ordered by the requests' keys, not by the order of the calls, so that the timing of
/// threads cannot shift it.
public struct PathSimulator: Sendable {
  /// The time up to which the path has run.
  public var now: SimulatedInstant { fatalError("to be written") }

  /// When the path wants to run next; `nil` when nothing will happen by itself.
  public var nextEventTime: SimulatedInstant? { fatalError("to be written") }

  /// Creates a path.
  public init(
    seed: UInt64, schedule: ConditionSchedule, configuration: PathConfiguration = PathConfiguration(),
    startingAt start: SimulatedInstant = .zero
  ) {
    fatalError("to be written")
  }

  /// Runs everything that is due up to and including `time`; times before ``now`` do nothing.
  public mutating func advance(to time: SimulatedInstant) {
    fatalError("to be written")
  }

  /// Hands over what happened since the last call, oldest first, and forgets it.
  public mutating func drainEvents(_ body: (PathEvent) -> Void) {
    fatalError("to be written")
  }

  /// Starts a request now, and says by which number its events go.
  public mutating func open(_ request: StreamRequest) -> StreamID {
    fatalError("to be written")
  }

  /// Makes `count` more bytes ready to be sent, now; `finishing` says that no more will follow in this direction.
  ///
  /// `up` is the client's request (head first, then body), `down` the server's response. Bytes of a response that
  /// are ready before the request was read in full wait for nothing: a server may answer early.
  public mutating func write(_ count: Int64, _ direction: Direction, on stream: StreamID, finishing: Bool) {
    fatalError("to be written")
  }

  /// The client gives a request up: nothing more is reported of it, HTTP/1.1 closes its connection, HTTP/2 resets
  /// the stream.
  public mutating func cancel(_ stream: StreamID) {
    fatalError("to be written")
  }

  /// The server aborts a request now: the client sees a reset once it arrives.
  public mutating func abort(_ stream: StreamID) {
    fatalError("to be written")
  }

  /// Replaces what the network does, from now on; bytes already queued feel the new rate.
  public mutating func use(_ schedule: ConditionSchedule) {
    fatalError("to be written")
  }

  /// What a request has cost so far; after its end, until ``forget(_:)``.
  public func statistics(of stream: StreamID) -> StreamStatistics {
    fatalError("to be written")
  }

  /// Frees what is kept of a request that has ended.
  public mutating func forget(_ stream: StreamID) {
    fatalError("to be written")
  }
}

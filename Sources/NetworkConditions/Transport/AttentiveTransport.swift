/// A transport that is shown a request before all of it has come, as a server is.
///
/// An optional power: others are asked once a request is whole, and never hear of one that does not become so.
protocol AttentiveTransport: Transport {
  /// Who answers a request of which only the head has come; `nil` is the transport itself, once the request is whole.
  ///
  /// The request has no body. Called on a queue of the URL loading system's own: it must not wait, and must run no code of
  /// the user's.
  func earlyAnswer(to request: TransportRequest) -> EarlyAnswer?
  /// A request has ended of which only the head and so many bytes of the body had come.
  func missed(_ request: TransportRequest, received: Int64, of expected: Int64?)
}

/// Who answers a request before it is whole, and when.
struct EarlyAnswer: Sendable {
  /// How much of the request's body comes first.
  let afterBytes: Int64
  let transport: any Transport
}

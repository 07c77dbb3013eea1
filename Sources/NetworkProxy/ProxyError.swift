public import Internals

/// The proxy could not start, or could not carry out a request.
public enum ProxyError: ExplainedError, Hashable, Sendable {
  /// The proxy cannot listen on this address.
  case cannotListen(SocketAddress, reason: String)
  /// A request to the proxy is invalid; the text names the mistake and its correction.
  case wrong(String)
  /// The proxy has been stopped.
  case stopped

  /// The error in one sentence.
  public var description: String { explanation.ending(sentence) }

  package var explanation: Explanation {
    switch self {
    case .cannotListen: .proxyAddress
    case .wrong: .proxyRequest
    case .stopped: .proxyStopped
    }
  }

  package var sentence: String {
    switch self {
    case .cannotListen(let address, let reason):
      "cannot listen on \(address): \(reason); name another port, or 0 for a free one"
    case .wrong(let sentence): sentence
    case .stopped: "the proxy has been stopped; start a new one"
    }
  }
}

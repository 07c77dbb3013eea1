public import Internals

/// Why a proxy cannot do what it was asked to.
public enum ProxyError: ExplainedError, Hashable, Sendable {
  /// An address cannot be listened on.
  case cannotListen(SocketAddress, reason: String)
  /// The proxy was asked for something that makes no sense: the sentence names it, and says what would be right.
  case wrong(String)
  /// The proxy has been stopped.
  case stopped

  /// A sentence that says what went wrong.
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

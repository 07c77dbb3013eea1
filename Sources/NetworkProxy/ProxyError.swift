public import Internals

/// An error of a proxy that could not start or could not do what was asked.
public enum ProxyError: ExplainedError, Hashable, Sendable {
  /// The proxy cannot listen on this address.
  case cannotListen(SocketAddress, reason: String)
  /// The proxy was asked for something that makes no sense; the text names it and what would be right.
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

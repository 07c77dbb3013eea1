import Foundation
import LinkSimulator

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What an exchange has for its client since the client last looked, in this order.
struct ExchangeOutput: Sendable {
  /// How an exchange ended, as its client sees it.
  enum End: Sendable {
    case finished
    case failed(URLError)
    /// A redirect that the client wants to follow itself: where to, and the answer that said so, which is no output of
    /// its own.
    case redirected(URLRequest, head: ResponseHead, from: URL)
  }

  /// How far the upload is, when it moved.
  var uploaded: (sent: Int64, expected: Int64?)?
  /// The response's head, once, with the URL that it came from.
  var response: (head: ResponseHead, url: URL)?
  /// The next bytes of the body, in order.
  var body: [Data] = []
  /// How many bytes of body have come in all, and how many are promised.
  var received: Int64 = 0
  var expected: Int64?
  /// The end, once; nothing follows.
  var end: End?

  var isEmpty: Bool { uploaded == nil && response == nil && body.isEmpty && end == nil }
}

/// Who waits for an exchange's output.
///
/// Told once that there is something; told again only after it has taken it (``NetworkEngine/take(_:)``).
protocol ExchangeSink: AnyObject, Sendable {
  /// There is output to take. Called with no lock held, on any thread.
  func exchangeHasOutput(_ exchange: Int)
}

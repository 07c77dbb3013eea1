import URLLoading

/// An exchange's new output since its client last fetched it; the properties are in the order of delivery.
struct ExchangeOutput: Sendable {
  enum End: Sendable {
    case finished
    case failed(URLError)
    /// A redirect that the client follows itself: its next request, when the first one began, and the
    /// answer with its URL.
    case redirected(URLRequest, begun: SimulatedInstant, head: ResponseHead, from: URL)
  }

  /// The upload's progress, if it has changed.
  var uploaded: (sent: Int64, expected: Int64?)?
  /// The response's head, once, with the URL that it came from.
  var response: (head: ResponseHead, url: URL)?
  var cookies: (jar: CookieJar, mainDocument: URL?)?
  /// The next bytes of the body, in order; before ``complete()`` they are in ``due``.
  var body: [Data] = []
  var due: (body: GivenBody, count: Int64)?
  /// How many bytes of the body have come so far, and how many are expected.
  var received: Int64 = 0
  var expected: Int64?
  var end: End?

  /// Stores cookies and reads the body: work that must not run under a network's lock.
  mutating func complete() {
    if let cookies, let (head, url) = response {
      cookies.jar.store(head, from: url, mainDocument: cookies.mainDocument)
    }
    if let due { body = due.body.read(due.count) }
    due = nil
  }
}

/// The receiver of an exchange's output.
///
/// It is notified once, and again only after it has taken the output (``NetworkEngine/take(_:)``).
protocol ExchangeSink: AnyObject, Sendable {
  /// Tells the client's side that there is output to take. Called on any thread, with no lock held.
  func exchangeHasOutput(_ exchange: Int)
}

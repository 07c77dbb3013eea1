import URLLoading

/// The news that an exchange has for its client since the client last looked, in this order.
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
  /// Where the cookies of the response are to be kept.
  var cookies: (jar: CookieJar, mainDocument: URL?)?
  /// The next bytes of the body, in order, and where they are before they are read.
  var body: [Data] = []
  var due: (body: GivenBody, count: Int64)?
  /// How many bytes of body have come in all, and how many are promised.
  var received: Int64 = 0
  var expected: Int64?
  /// The end, once; nothing follows.
  var end: End?

  /// Completes it before a client sees it, with work that must not be done under a network's lock: cookies are stored
  /// in whatever storage the client has, and bodies are put together.
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
/// Told once that there is something; told again only after it has taken it (``NetworkEngine/take(_:)``).
protocol ExchangeSink: AnyObject, Sendable {
  /// There is output to take. Called with no lock held, on any thread.
  func exchangeHasOutput(_ exchange: Int)
}

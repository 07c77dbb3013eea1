import URLLoading

/// A redirect on its way from one hop of an exchange to the next: its cookies are kept in between.
struct Redirect: Sendable {
  let exchange: Int
  /// Which hop it answers.
  let hop: Int
  var decision: RedirectPolicy.Decision
  let head: ResponseHead
  let url: URL?
  let mainDocument: URL?
  let cookies: CookieJar?

  /// Stores the cookies that came with it, and gives the next request those that it is to carry.
  ///
  /// The storage may be the client's own, write to disk and tell observers: not to be done under a network's lock.
  mutating func keepCookies() {
    guard let cookies else { return }
    cookies.store(head, from: url, mainDocument: mainDocument)
    if case .follow(var next, let keepsBody) = decision {
      cookies.apply(to: &next)
      decision = .follow(next, keepsBody: keepsBody)
    }
  }
}

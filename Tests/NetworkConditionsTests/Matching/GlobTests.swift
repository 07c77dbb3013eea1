import Testing

@testable import NetworkConditions
import URLLoading

struct GlobTests {
  @Test func `a percent escape in a pattern stands for itself`() {
    #expect(Glob("a%2Ab").matches("a%2Ab") && !Glob("a%2Ab").matches("a*b"))
  }

  @Test(arguments: [
    ("", ""), ("a", "a"), ("/feed", "/feed"), ("?", "a"), ("a?c", "abc"), ("??", "ab"), ("*", ""), ("*", "abc"),
    ("*.example.com", "a.example.com"), ("*.example.com", "a.b.example.com"), ("a*", "a"), ("a*", "abc"),
    ("*c", "c"), ("*c", "abc"), ("a*c", "ac"), ("a*c", "abbc"), ("a*b*c", "aXbYc"), ("*ab", "aab"),
    ("/orders/*", "/orders/1"), ("/orders/*", "/orders/"), ("/*/1", "/orders/1"), ("/orders/**", "/orders/1/2"),
    ("/orders/**", "/orders/"), ("**", ""), ("**", "/a/b"), ("/**/z", "/a/b/z"), ("/a**z", "/a/b/z"), ("***", "a/b"),
    ("/a/?", "/a/b"), ("caf?", "café"), ("?", "é"), ("??", "é€"), ("*?", "é"), ("?*", "é"), ("a?c", "a🙂c"),
    ("é?", "éé"),
  ])
  func `a glob pattern matches a whole text`(pattern: String, text: String) {
    #expect(Glob(pattern).matches(text))
  }

  @Test(arguments: [
    ("", "a"), ("a", ""), ("a", "b"), ("a", "ab"), ("ab", "a"), ("/feed", "/feeds"), ("/feeds", "/feed"),
    ("?", ""), ("?", "ab"), ("?", "/"), ("a?c", "a/c"), ("a?", "a"), ("*", "/"), ("*", "a/b"),
    ("*.example.com", "example.com"), ("a*", "b"), ("a*", "ba"), ("*c", "cb"), ("a*c", "abcd"), ("a*c", "xabc"),
    ("/orders/*", "/orders/1/2"), ("/orders/*", "/orders"), ("/*/1", "/a/b/1"), ("/orders/**", "/orders"),
    ("/**/z", "/z"), ("/a/?", "/a/"), ("a*b", "a/b"), ("??", "é"), ("caf??", "café"), ("?", "éé"), ("a?", "é"),
  ])
  func `a glob pattern must match the whole text, and a star matches no slash`(pattern: String, text: String) {
    #expect(!Glob(pattern).matches(text))
  }

  @Test(arguments: [
    ("abc", "ABC"), ("ABC", "abc"), ("AZ", "az"), ("az", "AZ"), ("*.EXAMPLE.com", "A.example.COM"), ("a?Z", "AbZ"),
    ("*Z", "az"), ("Z*", "za"),
  ])
  func `a glob pattern is case-sensitive unless case is ignored`(pattern: String, text: String) {
    #expect(Glob(pattern, ignoresCase: true).matches(text))
    #expect(!Glob(pattern).matches(text))
  }

  @Test func `ignoring case affects only letters`() {
    // The characters beside A and Z, and beside a and z.
    for (one, other) in [("@", "`"), ("[", "{")] {
      #expect(!Glob(one, ignoresCase: true).matches(other))
      #expect(!Glob("*\(one)", ignoresCase: true).matches(other))
      #expect(Glob(one, ignoresCase: true).matches(one))
    }
  }

  @Test(arguments: [
    ("/orders/*", "/orders/1"), ("/orders/*", "/orders/?"), ("/orders/*", "/orders/*"), ("**", "/a/*"),
    ("/*/b", "/a/b"), ("/**", "/a/**"), ("?", "a"), ("?", "é"), ("caf?", "café"), ("a*", "a*b"), ("*b", "a*b"),
  ])
  func `a glob pattern covers a narrower one`(wide: String, narrow: String) {
    #expect(Glob(wide).covers(Glob(narrow)))
    #expect(wide == narrow || !Glob(narrow).covers(Glob(wide)))
  }

  @Test func `if one glob covers another, it matches every text that the other matches`() {
    func texts(of pieces: [String], upTo count: Int) -> [String] {
      (0..<count).reduce([""]) { texts, _ in Array(Set(texts + texts.flatMap { text in pieces.map { text + $0 } })) }
    }
    let (patterns, texts) = (texts(of: ["a", "/", "?", "*", "**"], upTo: 3), texts(of: ["a", "b", "/"], upTo: 3))
    let matched = Dictionary(
      uniqueKeysWithValues: patterns.map { pattern in (pattern, Set(texts.filter(Glob(pattern).matches))) })
    for (wide, its) in matched {
      for (narrow, theirs) in matched where Glob(wide).covers(Glob(narrow)) {
        #expect(theirs.isSubset(of: its), "\(wide) \(narrow)")
      }
    }
    #expect(Glob("a", ignoresCase: true).covers("A") && !Glob("a").covers(Glob("A", ignoresCase: true)))
  }

  @Test func `a glob pattern with 50 stars is matched quickly`() {
    let pattern = String(repeating: "*a", count: 50)
    #expect(!Glob(pattern).matches(String(repeating: "a", count: 2_000) + "b"))
    #expect(Glob(pattern).matches(String(repeating: "a", count: 2_000)))
    #expect(Glob(pattern).description == pattern)
    #expect(Glob("/a") == "/a" && Glob("/a") != "/b" && Glob("/A", ignoresCase: true) != Glob("/A"))
  }

  // MARK: Requests

  private func request(_ url: String, _ method: String? = nil) -> URLRequest {
    var request = URLRequest(url: URL(string: url)!)
    request.httpMethod = method
    return request
  }

  @Test(arguments: [
    (RequestMatch(method: "post"), "https://a.example/x", "POST"),
    (RequestMatch(method: "POST"), "https://a.example/x", "post"),
    (RequestMatch(method: "GET"), "https://a.example/x", "GET"),
    (RequestMatch(scheme: "HTTPS"), "https://a.example/", "GET"),
    (RequestMatch(path: "/"), "https://a.example", "GET"), (RequestMatch(path: "/"), "https://a.example/", "GET"),
    (RequestMatch(path: "/x"), "https://a.example/x?q=1#f", "GET"),
    (RequestMatch(host: "*.Example"), "https://A.example/", "GET"),
    (RequestMatch(url: "https://a.example/x?q=1"), "https://a.example/x?q=1", "GET"), (.any, "ftp://a.example/", "PUT"),
  ])
  func `a request matches when all given parts match`(match: RequestMatch, url: String, method: String) {
    #expect(match.matches(request(url, method)))
  }

  @Test(arguments: [
    (RequestMatch(method: "POST"), "https://a.example/x", "GET"),
    (RequestMatch(scheme: "http"), "https://a.example/", "GET"),
    (RequestMatch(scheme: "https"), "http://a.example/", "GET"),
    (RequestMatch(path: "/x"), "https://a.example/", "GET"),
    (RequestMatch(path: "/"), "https://a.example/x", "GET"),
    (RequestMatch(host: "b.example"), "https://a.example/", "GET"),
    (RequestMatch(host: "a.example", path: "/y"), "https://a.example/x", "GET"),
    (RequestMatch(url: "https://a.example/x"), "https://a.example/x?q=1", "GET"),
  ])
  func `a request does not match when one given part differs`(match: RequestMatch, url: String, method: String) {
    #expect(!match.matches(request(url, method)))
  }

  @Test func `a URL pattern matches a request's real or redacted URL`() {
    let match = RequestMatch(url: "https://a.example/?token=redacted")
    let secret = request("https://a.example/?token=s3cret")
    #expect(!match.matches(secret))
    #expect(match.matches(secret, shownAs: "https://a.example/?token=redacted"))
    #expect(!match.matches(secret, shownAs: "https://a.example/?token=other"))
  }
}

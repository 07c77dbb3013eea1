import Foundation
import Testing

@testable import NetworkConditions

struct URLPatternTests {
  static func matches(_ pattern: URLPattern, _ url: String) -> Bool {
    pattern.matches(URLParts(URL(string: url)))
  }

  @Test func `a pattern made of a URL matches that URL alone, with or without its fragment`() {
    let pattern = URLPattern(url("https://api.example.com/a*b?q=*#top"))
    #expect(pattern.problem == nil)
    #expect(Self.matches(pattern, "https://api.example.com/a*b?q=*#top"))
    #expect(Self.matches(pattern, "https://api.example.com/a*b?q=*"))
    #expect(!Self.matches(pattern, "https://api.example.com/axb?q=*"))
    #expect(!Self.matches(pattern, "https://api.example.com/a*b?q=x"))
  }

  @Test(arguments: [
    ("https://api.example.com/feed", "https://api.example.com/feed?page=2"),
    ("https://api.example.com/feed", "HTTPS://API.example.com:443/feed"),
    ("HTTPS://API.Example.com/feed", "https://api.example.com/feed"),
    ("https://api.example.com", "https://api.example.com"), ("https://api.example.com", "https://api.example.com/"),
    ("https://*.example.com/v?/**", "https://a.example.com/v?/x"), ("*://x.example/a", "http://x.example/a"),
    ("http://x.example:*/a", "http://x.example:81/a"), ("http://x.example:80/a", "http://x.example/a"),
    ("http://[::1]:8080/a", "http://[::1]:8080/a"), ("/orders/**", "http://x.example/orders/1/2"),
    ("/a b".replacing(" ", with: "%20"), "http://x.example/a%20b"), ("/*", "http://x.example/"),
    ("/dir/", "http://x.example/dir/"), ("*.example.com", "http://a.example.com:99/any/where"),
    ("localhost", "http://localhost:8080/x"), ("localhost:8080/feed", "http://localhost:8080/feed"),
    ("LocalHost", "http://localhost:8080/x"), ("API.example.com", "https://api.example.com/x"),
    ("api.example.com/feed", "https://api.example.com/feed"), ("/s?b=2&a=1", "http://x.example/s?a=1&z=0&b=2"),
    ("/s?a=*", "http://x.example/s?a="), ("/s?a", "http://x.example/s?a=1"), ("?a=1", "http://x.example/any?a=1"),
    ("/s?q=a%20b", "http://x.example/s?q=a%20b"), ("**", "http://x.example/a/b"),
    ("/%E4", "http://x.example/%E4"), ("/a%2Ab", "http://x.example/a*b"), ("/s?q=1%2B*", "http://x.example/s?q=1%2B2"),
  ])
  func `a URL pattern matches the URLs that it describes`(pattern: String, url: String) {
    // The `?` of a path starts the query, as it does in a URL.
    if pattern.contains("/v?/") { return #expect(!Self.matches(URLPattern(pattern), url)) }
    #expect(Self.matches(URLPattern(pattern), url))
    #expect(URLPattern(pattern).problem == nil)
  }

  @Test func `a parameter in braces matches one part of a path, as in a path template`() {
    #expect(Self.matches("/orders/{id}/lines/{line}.json", "http://x.example/orders/7/lines/2.json"))
    #expect(Self.matches("https://{tenant}.example.com/orders/{id}", "https://a.example.com/orders/7"))
    #expect(!Self.matches("/orders/{id}", "http://x.example/orders/7/lines"))
    #expect(!Self.matches("/orders/{id/a}", "http://x.example/orders/7"))
    #expect(Self.matches("/a{b{c}d}", "http://x.example/a%7Bb7d%7D"))
    #expect(Self.matches("/orders/%7Bid%7D", "http://x.example/orders/%7Bid%7D"))
    #expect(!Self.matches("/orders/%7Bid%7D", "http://x.example/orders/7"))
  }

  @Test(arguments: [
    ("https://api.example.com/feed", "http://api.example.com/feed"),
    ("https://api.example.com/feed", "https://api.example.com/feeds"),
    ("https://api.example.com/feed", "https://api.example.com:8443/feed"),
    ("https://api.example.com", "https://api.example.com/feed"), ("http://x.example:81/a", "http://x.example/a"),
    ("/orders/*", "http://x.example/orders/1/2"), ("*.example.com", "http://example.com/"),
    ("localhost:8080", "http://localhost:8081/"), ("/s?a=1", "http://x.example/s"),
    ("/s?a=1", "http://x.example/s?a=2"),
    ("/dir", "http://x.example/dir/"), ("/a%2Ab", "http://x.example/acb"), ("/a%3Fb", "http://x.example/acb"),
  ])
  func `a URL pattern does not match other URLs`(pattern: String, url: String) {
    #expect(!Self.matches(URLPattern(pattern), url))
    #expect(URLPattern(pattern).problem == nil)
  }

  @Test(arguments: [
    ("localhost:8080/a", "localhost:8080/a", true), ("localhost:8080/a", "localhost:8081/a", false),
    ("localhost/a", "localhost:8081/a", true), ("localhost:8080/a", "localhost/a", false),
    ("https://x.example/a", "https://x.example:444/a", false), ("*://x.example:*/a", "https://x.example:444/a", true),
    ("https://*.example/a", "https://x.example/a", true), ("https://x.example/a", "https://*.example/a", false),
    ("/a*", "/ab", true), ("/a", "/ab", false), ("/a?b=1", "/a?c=2&b=1", true), ("/a?b=1", "/a", false),
    ("x:0", "x:0", false),
  ])
  func `a pattern covers another if it matches all that the other one matches`(one: String, other: String, covers: Bool)
  {
    #expect(URLPattern(one).covers(URLPattern(other)) == covers)
  }
  @Test(arguments: [
    ("", "empty"), ("GET /feed", "stub(.get, \"/feed\")"), ("/a#b", "fragment"), ("htp://x.example/", "\"htp\""),
    ("https:///feed", "no host"), ("//x.example/a", "two slashes"), ("https:/x.example", "two slashes"),
    ("orders", "\"/orders\" for a path"), ("https://me:pw@x.example/", "Authorization"),
    ("http://x.example:eighty/", "\"eighty\" is not a port"), ("x.example:0", "1 to 65535"), ("/a\nb", "white space"),
  ])
  func `a malformed URL pattern matches nothing and has an explanation`(pattern: String, reason: String) throws {
    let problem = try #require(URLPattern(pattern).problem)
    #expect(problem.contains(reason))
    #expect(!Self.matches(URLPattern(pattern), "http://x.example/"))
  }

  @Test func `a URL pattern can be an interpolated string or a URL`() throws {
    let host = "x.example"
    let pattern: URLPattern = "https://\(host)/a"
    #expect(Self.matches(pattern, "https://x.example/a"))
    let url = try #require(URL(string: "https://x.example/a?b=1"))
    #expect(Self.matches(URLPattern(url), "https://x.example/a?b=1"))
    let question = try #require(URL(string: "https://x.example/a?b=why?&c=*"))
    #expect(Self.matches(URLPattern(question), "https://x.example/a?b=why?&c=*"))
    #expect(!Self.matches(URLPattern(question), "https://x.example/a?b=whyn&c=*"))
  }
}

import Testing

@testable import NetworkConditions
import URLLoading

struct WrittenURLTests {
  @Test(arguments: [
    ("https://fonts.example/css?family=Open%20Sans|Roboto", "https://fonts.example/css?family=Open%20Sans%7CRoboto"),
    ("http://x.example/a%2Fb\"{c}", "http://x.example/a%2Fb%22%7Bc%7D"),
    ("http://x.example/a b%20c?q=[1]", "http://x.example/a%20b%20c?q=%5B1%5D"),
    ("http://x.example/100%", "http://x.example/100%25"), ("http://x.example/%zz%20|", "http://x.example/%25zz%20%7C"),
    ("http://x.example/a#b%20#c|", "http://x.example/a#b%20%23c%7C"),
    ("http://u%20|:p@x.example:81/", "http://u%20%7C:p@x.example:81/"),
    ("http://[::1]:8080/a|%20", "http://[::1]:8080/a%7C%20"),
    ("https://b\u{FC}cher.example/\u{E4}%20|", "https://xn--bcher-kva.example/%C3%A4%20%7C"),
    ("https://\u{4F8B}\u{3048}.\u{30C6}\u{30B9}\u{30C8}/", "https://xn--r8jz45g.xn--zckzah/"),
    ("https://x.example/a?u=http://y.example/|%20", "https://x.example/a?u=http://y.example/%7C%20"),
    ("https://x.example/plain?a=1&b=%20", "https://x.example/plain?a=1&b=%20"),
  ])
  func `parsing a URL escapes only forbidden characters and converts its host to ASCII`(
    text: String, expected: String
  ) {
    let url = URL(written: text)
    #expect(url?.absoluteString == expected)
    #expect(url.flatMap { URL(written: $0.absoluteString) } == url)
  }

  @Test(arguments: [
    ("/a%20b|c", "https://x.example/a%20b%7Cc"), ("d|%20", "https://x.example/q/d%7C%20"),
    ("?q=%20|", "https://x.example/q/r?q=%20%7C"), ("//y.example/%20|", "https://y.example/%20%7C"),
    ("//[::1]:81/|", "https://[::1]:81/%7C"),
  ])
  func `parsing a relative URL escapes only forbidden characters`(text: String, expected: String) {
    let base = URL(string: "https://x.example/q/r")
    #expect(URL(written: text, relativeTo: base)?.absoluteURL.absoluteString == expected)
  }

  @Test func `a redirect to a URL with special characters reaches the right stub`() async throws {
    let network = SimulatedNetwork("unlimited", pace: .immediate)
    defer { network.invalidate() }
    network.stub("/from", with: .redirect(to: "https://b\u{FC}cher.example/to?f=Open%20Sans|Roboto"))
    let there = network.stub("https://b\u{FC}cher.example/to", with: .text("there"))
    let (data, _) = try await network.data(from: URL(string: "http://x.example/from#a%20b")!)
    #expect(data == Data("there".utf8))
    let target = "https://xn--bcher-kva.example/to?f=Open%20Sans%7CRoboto#a%20b"
    #expect(there.requests.first?.url?.absoluteString == target)
  }

  @Test(arguments: ["b\u{FC}cher.example", "*.b\u{DC}CHER.example", "xn--bcher-kva.example", "*.example"])
  func `host patterns match international names in any spelling`(pattern: String) throws {
    let host = pattern.hasPrefix("*.b") ? "www.b\u{FC}cher.example" : "b\u{FC}cher.example"
    let url = try #require(URL(string: "https://\(host)/a"))
    #expect(RequestMatch(host: Glob(pattern)).matches(URLRequest(url: url)))
    #expect(URLPattern("https://\(pattern)/a").matches(URLParts(url)))
    #expect(URLPattern(url).matches(URLParts(url)))
  }
}

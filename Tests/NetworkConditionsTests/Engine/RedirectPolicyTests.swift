import Testing

@testable import NetworkConditions
import URLLoading

struct RedirectPolicyTests {
  private func decision(
    _ status: Int, to location: String?, from url: String = "https://a.example/x", method: String = "GET",
    followed: Int = 0
  ) -> RedirectPolicy.Decision {
    var request = URLRequest(url: URL(string: url)!)
    request.httpMethod = method
    request.httpBody = Data("body".utf8)
    for name in [
      "Authorization", "Proxy-Authorization", "Cookie", "Host", "Content-Length", "Content-Type", "Content-Encoding",
      "Content-Language", "Content-Location", "X-Own",
    ] {
      request.setValue("v", forHTTPHeaderField: name)
    }
    let fields = location.map { [HeaderField("Location", $0)] } ?? []
    return RedirectPolicy.decision(
      for: ResponseHead(status: status, headers: fields), to: request, followed: followed)
  }

  private func followed(_ decision: RedirectPolicy.Decision) -> (next: URLRequest, keepsBody: Bool)? {
    if case .follow(let next, let keepsBody) = decision { (next, keepsBody) } else { nil }
  }

  private func error(_ decision: RedirectPolicy.Decision) -> URLError.Code? {
    if case .fail(let error) = decision { error.code } else { nil }
  }

  @Test func `twenty redirects are followed and the next one is an error`() {
    for count in [0, 18, 19] { #expect(followed(decision(302, to: "/y", followed: count)) != nil, "\(count)") }
    for count in [20, 21] { #expect(error(decision(302, to: "/y", followed: count)) == .httpTooManyRedirects) }
  }

  @Test(arguments: [
    ("https://a.example/y", true), ("/y", true), ("HTTPS://A.EXAMPLE/y", true), ("https://a.example:443/y", true),
    ("https://b.example/y", false), ("https://x.a.example/y", false), ("https://a.example:444/y", false),
    ("http://a.example/y", false), ("http://a.example:443/y", false),
  ])
  func `a redirect keeps credentials only for the same scheme, host and port`(location: String, stays: Bool) throws {
    let next = try #require(followed(decision(307, to: location))).next
    #expect((next.value(forHTTPHeaderField: "Authorization") != nil) == stays)
    #expect((next.value(forHTTPHeaderField: "Proxy-Authorization") != nil) == stays)
    #expect((next.value(forHTTPHeaderField: "Cookie") != nil) == stays)
    // The session makes it again for the new URL.
    #expect(next.value(forHTTPHeaderField: "Host") == nil)
    #expect(next.value(forHTTPHeaderField: "X-Own") == "v")
  }

  @Test func `a URL with its scheme's default port is the same origin as one without a port`() throws {
    for (from, to) in [
      ("http://a.example/", "http://a.example:80/"), ("http://a.example:80/", "http://a.example/"),
      ("https://a.example:443/", "https://a.example/"), ("https://a.example:8443/", "https://a.example:8443/"),
    ] {
      let next = try #require(followed(decision(302, to: to, from: from))).next
      #expect(next.value(forHTTPHeaderField: "Authorization") == "v", "\(from) \(to)")
    }
    let next = try #require(followed(decision(302, to: "https://a.example:80/", from: "https://a.example/"))).next
    #expect(next.value(forHTTPHeaderField: "Authorization") == nil)
  }

  @Test(arguments: [
    (301, "GET", "GET"), (301, "POST", "GET"), (301, "PUT", "PUT"), (301, "HEAD", "HEAD"), (301, "DELETE", "DELETE"),
    (302, "GET", "GET"), (302, "POST", "GET"), (302, "PUT", "PUT"), (302, "HEAD", "HEAD"), (302, "PATCH", "PATCH"),
    (303, "GET", "GET"), (303, "POST", "GET"), (303, "PUT", "GET"), (303, "HEAD", "HEAD"), (303, "DELETE", "GET"),
    (307, "GET", "GET"), (307, "POST", "POST"), (307, "PUT", "PUT"), (307, "HEAD", "HEAD"),
    (308, "GET", "GET"), (308, "POST", "POST"), (308, "PUT", "PUT"), (308, "HEAD", "HEAD"),
  ])
  func `a redirect's status keeps the method or makes it GET`(status: Int, method: String, then: String) throws {
    let (next, keepsBody) = try #require(followed(decision(status, to: "/y", method: method)))
    #expect(next.httpMethod == then)
    let drops = method != then
    #expect((next.httpBody == nil) == drops)
    #expect(keepsBody == !drops)
    for name in ["Content-Length", "Content-Type", "Content-Encoding", "Content-Language", "Content-Location"] {
      #expect((next.value(forHTTPHeaderField: name) == nil) == drops, "\(name)")
    }
  }

  @Test func `a response with another status or without Location is not a redirect`() {
    for status in [200, 300, 304, 305, 306, 309, 400] {
      guard case .none = decision(status, to: "/y") else {
        Issue.record("\(status) leads somewhere")
        continue
      }
    }
    guard case .none = decision(302, to: nil) else {
      Issue.record("no Location leads somewhere")
      return
    }
  }

  @Test(arguments: ["ftp://a.example/", "about:invalid", "https:///y", "mailto:a@b.example", "http:"])
  func `a redirect to a URL without a server is an error`(location: String) {
    #expect(error(decision(302, to: location)) == .redirectToNonExistentLocation)
  }

  @Test(arguments: [
    ("/y", "https://a.example/x#part", "https://a.example/y#part"),
    ("/y#own", "https://a.example/x#part", "https://a.example/y#own"),
    ("y?q=1", "https://a.example/d/x?p", "https://a.example/d/y?q=1"),
    ("//b.example/y", "https://a.example/x", "https://b.example/y"),
    ("?q", "https://a.example/x", "https://a.example/x?q"),
  ])
  func `a relative redirect is resolved, and the fragment is kept`(location: String, from: String, to: String) throws {
    #expect(try #require(followed(decision(302, to: location, from: from))).next.url?.absoluteString == to)
  }

  @Test(arguments: [
    ("a.example", true), ("localhost", false), ("LOCALHOST", false), ("localhost.example", true),
    ("192.0.2.1", false), ("255.255.255.255", false), ("256.0.0.1", true), ("1.2.3", true), ("1.2.3.4.5", true),
    ("1.2.3.x", true), ("::1", false), ("fe80::1", false), ("1host", true), ("", false),
  ])
  func `a host name needs a DNS lookup and an IP address does not`(host: String, needs: Bool) {
    #expect(Origin.needsResolution(host) == needs)
  }

  @Test(arguments: [
    ("http://a.example/", 80), ("https://a.example/", 443), ("HTTPS://a.example/", 443), ("https://a.example:80/", 80),
    ("http://a.example:8080/", 8_080),
  ])
  func `a URL without a port has the default port of its scheme`(url: String, port: Int) throws {
    #expect(ServerAddress(URL(string: url)).port == port)
  }
}

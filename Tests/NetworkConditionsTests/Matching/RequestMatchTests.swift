import NetworkConditions
import Testing
import URLLoading

struct RequestMatchTests {
  @Test func `host, scheme and method that are set later ignore case`() {
    var match = RequestMatch()
    (match.host, match.scheme, match.method) = ("API.Example.com", "HTTPS", "post")
    var request = URLRequest(url: URL(string: "https://api.example.com/")!)
    #expect(!match.matches(request))
    request.httpMethod = "POST"
    #expect(match.matches(request))
    #expect(match == RequestMatch(host: "API.Example.com", scheme: "https", method: "POST"))
  }

  @Test(arguments: ["::1", "[::1]"]) func `a match of an IPv6 address matches its requests`(host: String) throws {
    let request = URLRequest(url: URL(string: "http://[::1]:8080/feed")!)
    #expect(RequestMatch(host: Glob(host)).matches(request))
    let file = #"{"name": "local", "faults": [{"match": {"host": "\#(host)"}, "refused": true}]}"#
    #expect(try NetworkProfile(json: Data(file.utf8)).faults.map { $0.match.matches(request) } == [true])
  }

  @Test(arguments: [
    ("/users/", "/users/", true), ("/users/", "/users", false), ("/users/*/", "/users/1/", true), ("/", "/", true),
    ("/", "", true), ("/users", "/users/", true), ("//", "/users/", false),
    ("/a%20b/*", "/a%20b/c", true), ("/%7Ejoe", "/~joe", true), ("/a%2Ab", "/a*b", true), ("/a%2Ab", "/acb", false),
    ("/%E4", "/%E4", true),
  ])
  func `a path's last slash and percent escapes match those of a request`(pattern: String, path: String, isMatch: Bool)
  {
    let request = URLRequest(url: URL(string: "https://api.example.com\(path)")!)
    #expect(RequestMatch(path: Glob(pattern)).matches(request) == isMatch)
  }
}

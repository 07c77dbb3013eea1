import Foundation
import Testing

@testable import NetworkConditions

struct RequestIdentitiesTests {
  @Test func `the occurrences of a request are counted correctly among thousands of other requests`() {
    var identities = RequestIdentities()
    let server = ServerAddress(url("https://api.example.com/"))
    for round in 1...3 {
      for number in 0..<5_000 {
        let next = identities.next("GET", "https://api.example.com/\(number)") { server }
        #expect(next.occurrence == round)
      }
    }
    // The same letters split differently between method and URL are another line.
    #expect(identities.next("GETh", "ttps://api.example.com/1") { server }.occurrence == 1)
  }

  @Test func `a request's random key does not depend on the number of other requests`() {
    var one = RequestIdentities()
    var other = RequestIdentities()
    let server = ServerAddress(url("https://api.example.com/"))
    let first = one.next("GET", "https://a/") { server }.key
    for number in 0..<3_000 { _ = one.next("GET", "https://b/\(number)") { server } }
    #expect(other.next("GET", "https://a/") { server }.key == first)
    #expect(one.next("GET", "https://a/") { server }.key == other.next("GET", "https://a/") { server }.key)
  }

  @Test func `a changed redaction also applies to URLs that were seen before`() {
    var identities = RequestIdentities()
    let server = ServerAddress(url("https://a.example/"))
    func shown() -> String { identities.next("GET", "https://a.example/?seat=7") { server }.shownURL }
    #expect(shown() == "https://a.example/?seat=7")
    identities.redaction = .standard.adding("seat")
    #expect(shown() == "https://a.example/?seat=redacted")
  }
}

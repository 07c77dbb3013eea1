import NetworkConditions
import Testing

@Suite struct RedactionTests {
  @Test func `credentials are left out whatever the case of their name`() {
    let shown = Redaction.standard.headers(["authorization": "a", "COOKIE": "b", "Accept": "c", "set-cookie": "d"])
    #expect(shown.map(\.value) == ["c"] + Array(repeating: Redaction.placeholder, count: 3))
    #expect(Redaction.standard.value("x", of: "Proxy-Authorization") == Redaction.placeholder)
    #expect(Redaction.none.value("x", of: "Cookie") == "x")
    #expect(Redaction.standard.adding("X-Key").headers([HeaderField("x-key", "k")])[0].value == "<redacted>")
  }
}

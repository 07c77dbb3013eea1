import Foundation
import NetworkConditions
import Testing

struct SecretScannerTests {
  /// A text with a secret, and the ways to wrap it into other formats.
  private struct Planted: CustomStringConvertible {
    static let secret = "plantedSecret"
    private static let names = [
      "password", "new_password", "accessToken", "X-Api-Key", "client-secret", "REFRESH_TOKEN", "sessionId", "sig",
      "user[passwd]", "oauth.token", "pwd2", "aws_secret_access_key",
    ]

    var description: String
    /// The media type of the outermost format; `nil` for a URL.
    var type: String?

    init(_ random: inout Draws) {
      let name = Self.names.randomElement(using: &random)!
      switch Int.random(in: 0..<5, using: &random) {
      case 0: (description, type) = ("{\"a\": 1, \"\(name)\" : \"\(Self.secret)\"}", "application/json")
      case 1: (description, type) = ("a=b&\(name)=\(Self.secret)&c=d", "application/x-www-form-urlencoded")
      case 2: (description, type) = ("https://user:\(Self.secret)@h.example/p?a=b", nil)
      case 3: (description, type) = ("https://\(Self.secret)@h.example/p?a=b", nil)
      default: (description, type) = ("https://h.example/p?a=b&\(name)=\(Self.secret)#c", nil)
      }
    }

    mutating func wrap(_ random: inout Draws) {
      switch Int.random(in: 0..<5, using: &random) {
      case 0 where type == "application/json":
        description = "{\"x\":[true,{\"y\":\(description)}],\"z\":\"\"}"
      case 0, 1:
        var text = description.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing(
          "\r\n", with: "\\r\\n")
        if Bool.random(using: &random) { text = text.replacing("/", with: "\\/").replacing("&", with: "\\u0026") }
        (description, type) = ("{\"n\":\"é\",\"m\" :\"\(text)\",\"o\":null}", "application/json")
      case 2: (description, type) = ("https://h.example/?next=\(encoded)&b=c", nil)
      case 3: (description, type) = ("x=1&payload=\(encoded)&y=2", "application/x-www-form-urlencoded")
      default:
        let part = "Content-Disposition: form-data; name=\"part\""
        (description, type) = ("--b\r\n\(part)\r\n\r\n\(description)\r\n--b--", "multipart/form-data; boundary=b")
      }
    }

    private var encoded: String {
      description.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
  }

  @Test func `a secret is found in nested formats, and everything else stays unchanged`() throws {
    var random = Draws()
    for _ in 0..<400 {
      var planted = Planted(&random)
      for _ in 0..<Int.random(in: 0...3, using: &random) { planted.wrap(&random) }
      let text = planted.description
      let shown =
        if let type = planted.type {
          String(decoding: Redaction.standard.body(Data(text.utf8), mediaType: type), as: UTF8.self)
        } else {
          Redaction.standard.url(text)
        }
      let mask = planted.type == nil ? "redacted" : "redacted*****"
      #expect(shown == text.replacing(Planted.secret, with: mask), "\(text)")
      if planted.type == "application/json" { _ = try JSONSerialization.jsonObject(with: Data(shown.utf8)) }
    }
  }
}

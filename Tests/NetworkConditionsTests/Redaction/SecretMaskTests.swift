import Foundation
import LinkSimulator
import Testing

@testable import NetworkConditions

/// A random number generator that draws the same numbers each time.
struct Draws: RandomNumberGenerator {
  private var count: UInt64 = 0

  mutating func next() -> UInt64 {
    count += 1
    return KeyedRandom(seed: 7).keyed(by: count).bits
  }
}

struct SecretMaskTests {
  private static let json = "application/json; charset=utf-8"
  private static let form = "application/x-www-form-urlencoded"

  @Test func `a name tells by its place, also if it was seen in another place before`() {
    let (names, name) = (SecretNames(.standard), Array("Set-Cookie".utf8))
    for _ in 0..<2 {
      #expect(names.weight(name, as: .item) < .certain)
      #expect(names.weight(name, as: .header) == .certain && names.weight(name, as: .member) == .certain)
    }
  }

  @Test(arguments: [
    (#"{"password":"hunter2","a":"b"}"#, json, #"{"password":"*******","a":"b"}"#),
    (
      #"{ "access_token" : "0123456789" , "expires_in":3600}"#, json,
      #"{ "access_token" : "redacted**" , "expires_in":3600}"#
    ),
    (#"{"a":[{"b":{"clientSecret":"x\"y\\"}}]}"#, json, #"{"a":[{"b":{"clientSecret":"******"}}]}"#),
    (
      #"{"tokens":["a",["b"],3],"pin":4711,"max_tokens":12}"#, json,
      #"{"tokens":["*",["*"],3],"pin":1000,"max_tokens":12}"#
    ),
    (#"{"token":{"value":"abc","type":"bearer"}}"#, json, #"{"token":{"value":"***","type":"bearer"}}"#),
    (
      #"{"headers":{"Cookie":"sid=a","Set-Cookie":"b=c"},"cookies":{"sid":"abc","n":1}}"#, json,
      #"{"headers":{"Cookie":"*****","Set-Cookie":"***"},"cookies":{"sid":"***","n":1}}"#
    ),
    (
      #"{"cookies":[{"name":"a","value":"]bc"},{"value":"d"}],"x":{"value":"e"}}"#, json,
      #"{"cookies":[{"name":"a","value":"***"},{"value":"*"}],"x":{"value":"e"}}"#
    ),
    (#"{"secrets":{"a":"b","n":2},"token":{"raw":"c"}}"#, json, #"{"secrets":{"a":"*","n":2},"token":{"raw":"*"}}"#),
    (
      #"{"client_assertion":"a","SAMLResponse":"b","recoveryCodes":["c"],"seed_phrase":"d","login_code":4711}"#, json,
      #"{"client_assertion":"*","SAMLResponse":"*","recoveryCodes":["*"],"seed_phrase":"*","login_code":1000}"#
    ),
    (
      #"{"env":[{"name":"DB_PASSWORD","value":"abc"},{"name":"HOST","value":"h"}]}"#, json,
      #"{"env":[{"name":"DB_PASSWORD","value":"***"},{"name":"HOST","value":"h"}]}"#
    ),
    (
      #"[{"key":"DB_PASSWORD","value":"abc"},{"key":"HOST","value":"h"}]"#, json,
      #"[{"key":"DB_PASSWORD","value":"***"},{"key":"HOST","value":"h"}]"#
    ),
    (
      #"{"Message":"{\"apiKey\":\"ab\",\"n\":\"{\\\"pwd\\\":\\\"cd\\\"}\"}"}"#, json,
      #"{"Message":"{\"apiKey\":\"**\",\"n\":\"{\\\"pwd\\\":\\\"**\\\"}\"}"}"#
    ),
    (#"{"log":"token=ab\ntoken=cdef\n"}"#, json, #"{"log":"token=**\ntoken=****\n"}"#),
    (#"{"url":"https:\/\/u:pw@x\/?a=b\u0026sig=abc"}"#, json, #"{"url":"https:\/\/u:**@x\/?a=b\u0026sig=***"}"#),
    (
      #"{"query":"mutation { login(user: \"a\", password: \"bcd\") { token } }"}"#, json,
      #"{"query":"mutation { login(user: \"a\", password: \"***\") { token } }"}"#
    ),
    (
      #"{"p\u0061ssword":"ab","passwords":true,"secret":null,"token":""}"#, json,
      #"{"p\u0061ssword":"**","passwords":true,"secret":null,"token":""}"#
    ),
    (
      #"{"type":"password","key":"color","nextPageToken":"CAUQAA","keys":["a"]}"#, json,
      #"{"type":"password","key":"color","nextPageToken":"CAUQAA","keys":["a"]}"#
    ),
    (#"{"password":"abc"#, json, #"{"password":"***"#), (#"{"token": abc, "x": 1"#, json, #"{"token": ***, "x": 1"#),
    (#"{"x":"" ","password":"abc"}"#, json, #"{"x":"" ","password":"***"}"#),
    (#"["password":"abc"]]}{,"#, "", #"["password":"***"]]}{,"#),
    ("grant_type=password&password=a;b+c&username=u", form, "grant_type=password&password=*****&username=u"),
    ("payload=%7B%22token%22%3A%22abc%22%7D&x=1", form, "payload=%7B%22token%22%3A%22***%22%7D&x=1"),
    ("refresh_token=abc", "text/plain", "refresh_token=***"),
    (
      "--b\r\nContent-Disposition: form-data; name=\"password\"\r\nContent-Type: text/plain; charset=utf-8\r\n\r\na b\r\n--b\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\ny\r\n--b--",
      "multipart/form-data; boundary=b",
      "--b\r\nContent-Disposition: form-data; name=\"password\"\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n***\r\n--b\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\ny\r\n--b--"
    ),
    (
      "<s:P><o:Password Type=\"t\">ab c</o:Password><SessionToken><![CDATA[x<y]]></SessionToken></s:P>", "text/xml",
      "<s:P><o:Password Type=\"t\">****</o:Password><SessionToken><![CDATA[***]]></SessionToken></s:P>"
    ),
    (
      "<form action=\"/?token=ab\"><input name=\"_csrf\" type=\"hidden\" value=\"abc\"><script>token=f(password)</script>",
      "text/html",
      "<form action=\"/?token=**\"><input name=\"_csrf\" type=\"hidden\" value=\"***\"><script>token=f(password)</script>"
    ),
    (
      "var o={password:\"Passwort\"};if(a&&token=b){}", "text/javascript",
      "var o={password:\"Passwort\"};if(a&&token=b){}"
    ),
    (
      "<meta content='abc' name='csrf-token'><input name=api_key value=abc><input name=q value=\"token\">", "text/html",
      "<meta content='***' name='csrf-token'><input name=api_key value=***><input name=q value=\"token\">"
    ),
    (
      "<token value=\"abc\"/><add key=\"password\" value='de'/><name value=\"token\"/>", "text/xml",
      "<token value=\"***\"/><add key=\"password\" value='**'/><name value=\"token\"/>"
    ),
    (
      "init({apiKey: \"Ab1Cd2Ef3Gh4Ij5Kl6\", id: \"Ab1Cd2Ef3Gh4Ij5Kl6\"}); window.csrfToken = 'a1b2c3d4e5f6a7b8'",
      "text/javascript",
      "init({apiKey: \"redacted**********\", id: \"Ab1Cd2Ef3Gh4Ij5Kl6\"}); window.csrfToken = 'redacted********'"
    ),
    ("data: {\"jwt\":\"abc\"}\n\n", "text/event-stream", "data: {\"jwt\":\"***\"}\n\n"),
    ("\u{0}\u{1}{\"password\":\"abc\"}", "application/octet-stream", "\u{0}\u{1}{\"password\":\"abc\"}"),
    ("{\"password\":\"abc\"}", "image/png", "{\"password\":\"abc\"}"),
  ])
  func `redaction replaces only the secrets of a body and keeps its length`(
    body: String, type: String, shown: String
  ) {
    let masked = Redaction.standard.body(Data(body.utf8), mediaType: type)
    #expect(String(decoding: masked, as: UTF8.self) == shown)
    #expect(Redaction.standard.body(masked, mediaType: type) == masked && masked.count == body.utf8.count)
    #expect(Redaction.none.body(Data(body.utf8), mediaType: type) == Data(body.utf8))
    #expect(Redaction.none.masks(in: Data(body.utf8), mediaType: type).isEmpty)
  }

  @Test(arguments: [
    // The word has eight letters, so longer masks are that word and stars.
    (#""a""#, #""*""#), (#""abcdefg""#, #""*******""#), (#""abcdefgh""#, #""redacted""#),
    (#""abcdefghi""#, #""redacted*""#), (#""abcdefghijkl""#, #""redacted****""#),
    // A masked number is a number with as many digits.
    ("7", "0"), ("42", "10"), ("4711", "1000"), ("12345678901", "10000000000"),
  ])
  func `a mask is as long as its secret, and the mask of a number is a number`(secret: String, mask: String) throws {
    let (body, shown) = ("{\"pin\":\(secret),\"a\":1}", "{\"pin\":\(mask),\"a\":1}")
    let masks = Redaction.standard.masks(in: Data(body.utf8), mediaType: Self.json)
    #expect(masks.count == 1)
    let masked = Data(body.utf8).masked(by: masks)
    #expect(String(decoding: masked, as: UTF8.self) == shown)
    // A mask is not a secret, so it is not masked again.
    #expect(Redaction.standard.masks(in: masked, mediaType: Self.json).isEmpty)
    #expect(Redaction.standard.maskedNames(in: masked, mediaType: Self.json) == ["pin"])
    #expect(
      Redaction.standard.canonical(masked, mediaType: Self.json)
        == Redaction.standard.canonical(Data(body.utf8), mediaType: Self.json))
  }

  @Test(arguments: [
    ("0", true, true), ("1", true, false), ("10", true, true), ("1000", true, true), ("00", true, false),
    ("1001", true, false), ("2000", true, false), ("01", true, false), ("*", false, true), ("***", false, true),
    ("redacted", false, true), ("redacted**", false, true), ("<redacted>", false, true), ("redacte", false, false),
    ("redactedx", false, false), ("*a", false, false), ("<redacted", false, false), ("a**", false, false),
  ])
  func `a redacted value is told from a real value by its text`(text: String, isNumber: Bool, isMask: Bool) {
    #expect(SecretMask.isMask(Array(text.utf8), isNumber: isNumber) == isMask)
  }

  @Test func `a masked value in an HTML tag is reported under the secret's name`() {
    let page = Data("<input name=\"_csrf\" value=\"***\"><input name=\"q\" value=\"***\">".utf8)
    let names = Redaction.standard.maskedNames(in: page, mediaType: "text/html")
    #expect(names.count == 1 && names.allSatisfy { $0.contains("csrf") }, "\(names)")
  }

  @Test(arguments: [
    (#"{"a":{"seat":"***"}}"#, json), ("seat=***&a=b", form), ("seat = redacted*", "text/plain"),
    ("<a><seat>***</seat></a>", "text/xml"), ("f({seat:'***'})", "text/javascript"),
  ])
  func `a redacted value is found even under an unusual name`(body: String, type: String) {
    #expect(Redaction.standard.maskedNames(in: Data(body.utf8), mediaType: type) == ["seat"])
    let url = "https://x.example/?a=b&seat=redacted"
    #expect(Redaction.standard.maskedNames(inURL: url) == ["seat"])
  }

  @Test func `several masks are applied at their own places, also in a slice of data`() {
    let body = Data(#"{"token":"ab","x":"y","pin":12,"password":"abcdefghij"}"#.utf8)
    let masks = Redaction.standard.masks(in: body, mediaType: Self.json)
    #expect(masks.map(\.offset) == [10, 28, 43])
    let shown = #"{"token":"**","x":"y","pin":10,"password":"redacted**"}"#
    #expect(String(decoding: body.masked(by: masks), as: UTF8.self) == shown)
    let piece = (Data("head".utf8) + body)[4...]
    #expect(String(decoding: piece.masked(by: masks), as: UTF8.self) == shown)
    #expect(body.masked(by: []) == body)
  }

  @Test(arguments: [
    ("image/png", true), ("IMAGE/PNG", true), ("audio/mpeg", true), ("video/mp4", true), ("font/woff2", true),
    ("application/zip", true), ("application/pdf", true), ("application/wasm", true), ("application/grpc", true),
    ("image/svg+xml", false), ("application/json", false), ("text/plain", false), ("application/octet-stream", false),
  ])
  func `media types without text are not searched for secrets`(type: String, isOpaque: Bool) {
    #expect(Redaction.isOpaque(type) == isOpaque)
  }

  @Test(arguments: [
    // The format of a body without a media type is detected from its beginning.
    ("password=abc&x=1", "password=***&x=1"),
    ("payload=%7B%22token%22%3A%22abc%22%7D&x=1", "payload=%7B%22token%22%3A%22***%22%7D&x=1"),
    ("password=a'b\"c&x=1", "password=*****&x=1"), ("a=1&password=abc;d", "a=1&password=*****"),
    ("<?xml version=\"1.0\"?><password>abc</password>", "<?xml version=\"1.0\"?><password>***</password>"),
    ("  <?xml version=\"1.0\"?><password>abc</password>", "  <?xml version=\"1.0\"?><password>***</password>"),
    ("{\"password\":\"abc\"}", "{\"password\":\"***\"}"),
  ])
  func `the format of a body without a media type is detected from its beginning`(body: String, shown: String) {
    #expect(String(decoding: Redaction.standard.body(Data(body.utf8)), as: UTF8.self) == shown)
  }

  /// The secret is found despite cuts and changes around it.
  @Test func `a secret is found in damaged JSON`() throws {
    var random = Draws()
    let whole = #"{"a":[1,2,{"s":"x y"}],"user":{"name":"n","password":"plantedSecret"},"t":["b"],"z":-1.5e3}"#
    let place = try #require(whole.range(of: "\"password\":\"plantedSecret"))
    for _ in 0..<300 {
      var (head, tail) = (Array(whole[..<place.lowerBound].utf8), Array(whole[place.upperBound...].utf8))
      for _ in 0..<Int.random(in: 0...4, using: &random) where !head.isEmpty {
        head[Int.random(in: head.indices, using: &random)] = "{}[]\":, x".utf8.randomElement(using: &random)!
      }
      tail = Array(tail.prefix(Int.random(in: 0...tail.count, using: &random)))
      let body = Data(head + Array(whole[place].utf8) + tail)
      let masked = Redaction.standard.body(body, mediaType: Self.json)
      #expect(
        !String(decoding: masked, as: UTF8.self).contains("plantedSecret"), "\(String(decoding: body, as: UTF8.self))")
    }
    let masked = Redaction.standard.body(Data(whole.utf8))
    #expect(try JSONSerialization.jsonObject(with: masked) is [String: Any])
  }

  @Test func `redacting random bytes does not crash and keeps their length`() {
    var random = Draws()
    let alphabet = Array("{}[]\":,=&?#;%2F3a\\u0061\"'<>/@.eyJ -token password".utf8)
    for type in ["application/json", Self.form, "multipart/x", "text/xml", "text/html", "text/plain", ""] {
      for count in 0..<150 {
        let body = Data((0..<count).map { _ in alphabet.randomElement(using: &random)! })
        let masked = Redaction.standard.body(body, mediaType: type)
        #expect(masked.count == body.count)
      }
    }
  }
}

import NetworkConditions
import Testing

struct RedactionTests {
  @Test func `credential header fields are redacted in any case of their names`() {
    let shown = Redaction.standard.headers(["authorization": "a", "COOKIE": "b", "Accept": "c", "set-cookie": "d"])
    #expect(shown.map(\.value) == ["c"] + Array(repeating: Redaction.placeholder, count: 3))
    #expect(Redaction.standard.value("x", of: "Proxy-Authorization") == Redaction.placeholder)
    #expect(Redaction.none.value("x", of: "Cookie") == "x")
    #expect(Redaction.standard.adding("X-Key").headers([HeaderField("x-key", "k")])[0].value == "<redacted>")
  }

  @Test(arguments: [
    "X-Api-Key", "Api-Key", "apikey", "X-Auth-Token", "X-Csrf-Token", "X-XSRF-TOKEN", "X-Amz-Security-Token",
    "X-Goog-Api-Key", "Ocp-Apim-Subscription-Key", "Private-Token", "Cookie2", "Set-Cookie2", "Authentication-Info",
    "Proxy-Authentication-Info", "WWW-Authenticate", "Proxy-Authenticate", "X-Vault-Token", "X-Shopify-Access-Token",
    "x-functions-key", "X-Hub-Signature-256", "Stripe-Signature", "DD-APPLICATION-KEY", "X-Auth-Key", "X-Session-Id",
    "CF-Access-Client-Secret", "X-ClientSecret", "X-Parse-REST-API-Key", "x-rapidapi-key", "X-Plex-Token", "X-Password",
  ])
  func `header fields with usual names for credentials are redacted`(name: String) {
    for name in [name, name.lowercased(), name.uppercased()] {
      #expect(Redaction.standard.value("a", of: name) == "<redacted>")
    }
  }

  @Test(arguments: [
    ("Idempotency-Key", "8e03978e-40d5-43e8-bc93-6894a57f9324"),
    ("ETag", "\"33a64df551425fcc55e4d42a148795d9f25f89d4\""),
    ("Content-Type", "application/json"), ("Key", "User-Agent"),
    ("X-Request-Id", "f058ebd6-02f7-4d3f-942e-904344e8cde5"), ("Cache-Key", "k1"),
    ("Accept", "text/html;q=0.9, */*"), ("Retry-After", "120"), ("X-Error-Code", "E_17"), ("Refresh", "5; url=/next"),
    ("Link", "<https://x.example/items?page_token=abc&page=2>; rel=\"next\""),
    ("Content-Security-Policy", "default-src"),
    ("Surrogate-Key", "feed"), ("Sec-Fetch-Site", "none"), ("User-Agent", "App/1.0 (X; rv:1)"), ("Date", "12:30:00"),
  ])
  func `header fields without credentials are not redacted`(name: String, value: String) {
    #expect(Redaction.standard.value(value, of: name) == value)
  }

  @Test(arguments: [
    ("Referer", "https://x.example/cb?code=SplxlOBeZQQYbYS6WxSbIA&page=2", "https://x.example/cb?code=redacted&page=2"),
    ("Location", "/welcome?access_token=abc#frag", "/welcome?access_token=redacted#frag"),
    ("Location", "app://cb#access_token=abc&token_type=bearer", "app://cb#access_token=redacted&token_type=bearer"),
    ("Refresh", "5; url=https://u:p@x.example/", "5; url=https://u:redacted@x.example/"),
    ("Link", "<https://x.example/?api_key=k>; rel=next", "<https://x.example/?api_key=redacted>; rel=next"),
    ("WWW-Authenticate", #"Basic realm="r, \"s\"", charset="UTF-8""#, #"Basic realm="r, \"s\"", charset="UTF-8""#),
    (
      "WWW-Authenticate", #"Digest realm="a", nonce="5TsQ", qop=auth, opaque=x, Negotiate, NTLM TlRM=="#,
      #"Digest realm="a", nonce="<redacted>", qop=auth, opaque=<redacted>, Negotiate, NTLM <redacted>"#
    ),
    (
      "Sec-WebSocket-Protocol", "base64url.bearer.authorization.k8s.io.bXk, v4.channel.k8s.io",
      "base64url.bearer.authorization.k8s.io.<redacted>, v4.channel.k8s.io"
    ),
    ("Sec-WebSocket-Protocol", "graphql-ws", "graphql-ws"),
    ("proxy-authenticate", "Negotiate abc", "Negotiate <redacted>"), ("WWW-Authenticate", "s3cret", "<redacted>"),
    ("Set-Cookie", "lang=de; Path=/; HttpOnly", "lang=de; Path=/; HttpOnly"),
    (
      "Set-Cookie", "sid=ab; Expires=Wed, 21 Oct 2026 07:28:00 GMT, b=hunter2; Secure; x=y",
      "sid=<redacted>; Expires=Wed, 21 Oct 2026 07:28:00 GMT, b=<redacted>; Secure; x=<redacted>"
    ),
    ("Set-Cookie", "a=123, b=1234, c=12345", "a=123, b=<redacted>, c=<redacted>"),
    ("Set-Cookie", "a=de-DE, b=de-DEx, c=1a", "a=de-DE, b=<redacted>, c=<redacted>"),
    ("Set-Cookie", "=abc", "=<redacted>"), ("Set-Cookie", "abc; Path=/", "<redacted>"),
    ("X-Custom", "Bearer hunter2", "Bearer redacted"), ("X-Custom", "bearer aGk=", "bearer redacted"),
    ("X-Custom", "Basic dTpodW50ZXIy", "Basic redacted"), ("X-Plan", "Basic monthly", "Basic monthly"),
    ("X-Note", "Bearer of news", "Bearer of news"), ("X-Error", "Bearer token", "Bearer token"),
    ("X-Anything", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dBjftJeZ4CVP", "redacted"),
  ])
  func `redaction keeps the text around a secret in a header field`(name: String, value: String, shown: String) {
    #expect(Redaction.standard.value(value, of: name) == shown)
    #expect(Redaction.standard.value(shown, of: name) == shown)
    #expect(Redaction.standard.field(shown, of: name).count == 0)
  }

  @Test(arguments: [
    ("https://x.example/a?b=c&page=2#top", "https://x.example/a?b=c&page=2#top"),
    ("https://user:pass@x.example/", "https://user:redacted@x.example/"),
    ("https://u:p@x@a.example/", "https://u:redacted@a.example/"),
    ("https://ghp16C7e42F292c6912E7@x.example/r.git", "https://redacted@x.example/r.git"),
    ("https://sk_test_4eC39HqLyjWDarjtT1:@x.example/", "https://redacted:@x.example/"),
    ("https://4eC39HqLyjWDarjtT1zdp7dc:x-oauth-basic@x.example", "https://redacted:x-oauth-basic@x.example"),
    ("https://x.example/?Access_Token=abc&x=1", "https://x.example/?Access_Token=redacted&x=1"),
    ("https://x.example/?token[]=a&token[]=b", "https://x.example/?token[]=redacted&token[]=redacted"),
    ("https://x.example/?user%5Bpassword%5D=a%26b&c=d", "https://x.example/?user%5Bpassword%5D=redacted&c=d"),
    (
      "https://x.example/?user[pin]=12&pin_confirm=34&new=5",
      "https://x.example/?user[pin]=redacted&pin_confirm=redacted&new=5"
    ),
    ("https://x.example/?%70assword=a'b;c&d", "https://x.example/?%70assword=redacted&d"),
    ("https://x.example/?key=color&sort_key=name", "https://x.example/?key=color&sort_key=name"),
    ("https://x.example/?key=AIzaSyD-9tSrke72PouQMnMX", "https://x.example/?key=redacted"),
    ("https://x.example/a;jsessionid=1A2B?b=c", "https://x.example/a;jsessionid=redacted?b=c"),
    ("https://x.example/#access_token=a&state=b", "https://x.example/#access_token=redacted&state=b"),
    (
      "https://x.example/?to=https%3A%2F%2Fy%2F%3Ftoken%3Dabc%26z%3D1&q=1",
      "https://x.example/?to=https%3A%2F%2Fy%2F%3Ftoken%3Dredacted%26z%3D1&q=1"
    ),
    ("https://x.example/?to=token%3Dabc%26z", "https://x.example/?to=token%3Dredacted%26z"),
    ("https://x.example/?to=token%3Dabc%26", "https://x.example/?to=token%3Dredacted%26"),
    ("https://x.example/?to=a%253Ftoken%253Dabc%2526z", "https://x.example/?to=a%253Ftoken%253Dredacted%2526z"),
    ("https://x.example/?to=https://u:p@y/?sig=a&z=1", "https://x.example/?to=https://u:redacted@y/?sig=redacted&z=1"),
    ("https://x.example/?pageToken=CAUQAA&next_token=x", "https://x.example/?pageToken=CAUQAA&next_token=x"),
    ("https://x.example/u/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dBjft/me", "https://x.example/u/redacted/me"),
    (
      "https://api.telegram.org/bot110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/getMe",
      "https://api.telegram.org/bot110201543:redacted/getMe"
    ),
    ("http://[::1]:8080/?q", "http://[::1]:8080/?q"), ("nonsense", "nonsense"), ("", ""), ("?=&%", "?=&%"),
  ])
  func `redaction replaces only the secrets of a URL, and repeating it changes nothing`(url: String, shown: String) {
    #expect(Redaction.standard.url(url) == shown)
    #expect(Redaction.standard.url(shown) == shown)
    #expect(Redaction.none.url(url) == url)
  }

  @Test func `names added to the redaction are redacted in URLs, texts and headers in any spelling`() {
    let redaction = Redaction.none.adding("pickup-code", "Mandant")
    #expect(redaction.url("https://u:p@x/?pickup_code=7&token=t") == "https://u:p@x/?pickup_code=redacted&token=t")
    #expect(Redaction.standard.adding("Sitzplatz").url("https://x/?sitzplatz=7") == "https://x/?sitzplatz=redacted")
    #expect(
      redaction.text(#"{"pickupCode": "7", "mandant": {"id": 3}}"#)
        == #"{"pickupCode": "redacted", "mandant": {"id": 3}}"#)
    #expect(redaction.value("x", of: "PICKUP-CODE") == "<redacted>" && redaction.value("x", of: "Cookie") == "x")
  }

  @Test(arguments: [
    ("cannot open https://u:p@x/y: it failed", "cannot open https://u:redacted@x/y: it failed"),
    ("got {\"password\":\"x y\"} for \"token=abc\"", "got {\"password\":\"redacted\"} for \"token=redacted\""),
    ("Authorization: Bearer 4eC39HqLyjWDarjtT1zdp7dc, twice", "Authorization: Bearer redacted, twice"),
    ("token: expected 3 items at 12:30:01", "token: expected 3 items at 12:30:01"), ("C:\\Users\\me", "C:\\Users\\me"),
    ("{'api_key': 'it'}", "{'api_key': 'redacted'}"), ("a == b, x != y, password==z", "a == b, x != y, password==z"),
    ("password = hunter2\nport = 80", "password = redacted\nport = 80"), ("api_key =  'it'", "api_key =  'redacted'"),
    ("password == z, token => t, secret =\nnext", "password == z, token => t, secret =\nnext"),
  ])
  func `redaction replaces only the secrets of an error text`(text: String, shown: String) {
    #expect(Redaction.standard.text(text) == shown)
    #expect(Redaction.standard.text(shown) == shown)
  }

  @Test(arguments: [
    ("Authorization: Bearer hunter2\nAccept: */*", "Authorization: Bearer redacted\nAccept: */*"),
    ("ok\r\n> token: hunter2\r\nport: 80\r\n", "ok\r\n> token: redacted\r\nport: 80\r\n"),
    ("ok\rtoken: hunter2\rport: 80", "ok\rtoken: redacted\rport: 80"),
    ("password1: hunter2 ,;\nok", "password1: redacted ,;\nok"), ("try token: hunter2\n", "try token: hunter2\n"),
    ("user: me\npassword: p4;ss,word\n", "user: me\npassword: redacted\n"),
    ("Cookie: a=b; c=d\nX: y", "Cookie: redacted\nX: y"), ("X-Custom: Bearer hunter2", "X-Custom: Bearer redacted"),
    ("token: expired", "token: expired"), ("password: at least 8 letters", "password: at least 8 letters"),
    ("eyJhbGciOiJIUzI1NiJ9.eyJz", "redacted"), ("eyJhbGciOiJIUzI1NiJ9.eyJ", "eyJhbGciOiJIUzI1NiJ9.eyJ"),
    ("eyJhbGciOiJ.eyJz", "redacted"), ("eyJhbGciOi.eyJz", "eyJhbGciOi.eyJz"),
    ("id-eyJhbGciOiJ.eyJz", "id-redacted"), ("{\"value\":\"abc\"}", "{\"value\":\"abc\"}"),
    ("{\"password\"\t:\r\n\t\"hunter2\"}", "{\"password\"\t:\r\n\t\"redacted\"}"),
    ("{\"password\":hunter2", "{\"password\":redacted"),
    ("{\"a\":\"sig\\u003dab\\u0026z=1\"}", "{\"a\":\"sig\\u003dredacted\\u0026z=1\"}"),
    ("token:\n  name: me", "token:\n  name: me"), ("Use Bearer tokens to sign in", "Use Bearer tokens to sign in"),
    ("{\"a\":\"Bearer hunter2\"}", "{\"a\":\"Bearer redacted\"}"),
    ("card_number=4111 1111", "card_number=redacted 1111"),
    ("{\"number\":\"4242-4242-4242-4242\",\"cvc\":\"1\"}", "{\"number\":\"redacted\",\"cvc\":\"redacted\"}"),
    ("{\"number\":4242424242424242}", "{\"number\":redacted}"), ("{\"order_number\":4711}", "{\"order_number\":4711}"),
    ("{\"number\":4242424242424241}", "{\"number\":4242424242424241}"),
    ("{\"card_number\":\"4111\",\"iban\":\"DE02\"}", "{\"card_number\":\"redacted\",\"iban\":\"redacted\"}"),
  ])
  func `redaction hides header lines, bearer tokens and card numbers in a text`(text: String, shown: String) {
    #expect(Redaction.standard.text(text) == shown)
    #expect(Redaction.standard.text(shown) == shown)
  }

  @Test(arguments: [
    ("4222222222222", true), ("4917491749173", true), ("491749174919", false), ("378282246310005", true),
    ("5555555555554444", true), ("5555555555554445", false), ("4917491749174917491", true),
    ("49174917491749174917", false), ("4917-4917-4917-4917-491", true), ("4917--4917-4917-4917-491", false),
    ("0000000000000000", false),
  ])
  func `a payment card's number has 13 to 19 digits and a right check digit`(number: String, isSecret: Bool) {
    let shown = isSecret ? "redacted" : number
    #expect(Redaction.standard.text("{\"number\":\"\(number)\"}") == "{\"number\":\"\(shown)\"}")
  }

  @Test(arguments: [
    // A digit beside a letter, or a capital after a small letter: one in six characters, and at least 16 characters.
    ("a1b2c3d4e5f6a7b8", true), ("a1b2c3d4e5f6a7b", false), ("aaaaa1aaaaaa111111", true),
    ("aaaaa1aaaaaa1111111", false), ("aaaaaAaaaaaAaaaaaA", true), ("AAAAAaAAAAAaAAAAAA", false),
    // Otherwise 24 letters and digits in a row, with a letter among them.
    ("abcdefghijklmnopqrstuvwx", true), ("abcdefghijklmnopqrstuvw", false), ("abcdefghijklmnopqrstuvwx-y", true),
    ("abcdefghijkl-mnopqrstuvwx", false), ("012345678901234567890123", false),
    (String(repeating: "a1", count: 2_048), true), (String(repeating: "a1", count: 2_048) + "a", false),
  ])
  func `a key that looks random is a secret, and one like a word is not`(key: String, isSecret: Bool) {
    let shown = isSecret ? "redacted" : key
    #expect(Redaction.standard.url("https://x.example/?key=\(key)&a=b") == "https://x.example/?key=\(shown)&a=b")
  }

  @Test func `a redacted field counts as one secret, and an already redacted one as none`() {
    let shown = Redaction.standard.field("hunter2", of: "Cookie")
    #expect(shown == (Redaction.placeholder, true, 1))
    #expect(Redaction.standard.field(shown.text, of: "Cookie") == (Redaction.placeholder, true, 0))
    #expect(Redaction.standard.field("text/html", of: "Accept") == ("text/html", false, 0))
    #expect(Redaction.standard.field("", of: "Accept") == ("", false, 0))
    let cookies = Redaction.standard.field("sid=ab12, theme=dark, tab=cd34", of: "Set-Cookie")
    #expect(cookies == ("sid=<redacted>, theme=dark, tab=<redacted>", false, 2))
  }
}

import FailureSearch
import NetworkConditions
import Testing
import TrafficRecording

@testable import netcond
import URLLoading

/// An exchange from a service's documentation, with a secret in it.
struct SecretExample: Sendable, CustomTestStringConvertible {
  /// The secret that no output may contain; `§` stands for it in the examples.
  static let secret = "hT7kQ2vXw9LmZ4pRb8sN"

  let testDescription: String
  var url = "https://api.example.com/v1/items?page=2"
  var headers: [String] = []
  var body: String?
  var answer: [HeaderField] = []
  var answerBody = "{}"

  init(
    _ name: String, url: String? = nil, _ headers: String..., body: String? = nil, answer: [(String, String)] = [],
    json: String = "{}"
  ) {
    func planted(_ text: String) -> String { text.replacingOccurrences(of: "§", with: Self.secret) }
    testDescription = name
    if let url { self.url = planted(url) }
    self.headers = headers.map(planted)
    self.body = body.map(planted)
    self.answer = answer.map { HeaderField($0.0, planted($0.1)) }
    if !self.answer.contains(where: { $0.name == "Content-Type" }) {
      self.answer.append(HeaderField("Content-Type", "application/json"))
    }
    answerBody = planted(json)
  }

  static let jwt = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.§"

  static let all: [SecretExample] = [
    .init("GitHub, a token", "Authorization: token §"),
    .init("GitHub, in a clone's URL", url: "https://§@github.example/me/r.git"),
    .init("GitHub, x-oauth-basic", url: "https://§:x-oauth-basic@github.example/me/r.git"),
    .init(
      "GitHub, OAuth", url: "https://github.example/login/oauth/access_token?client_id=a&client_secret=§&code=b",
      json: #"{"access_token":"§","token_type":"bearer"}"#),
    .init("GitHub, webhook", "X-Hub-Signature-256: sha256=§", body: "{}"),
    .init("GitLab, Private-Token", "PRIVATE-TOKEN: §"),
    .init("GitLab, query", url: "https://gitlab.example/api/v4/projects?private_token=§"),
    .init("Stripe, user of Basic", url: "https://§:@api.stripe.example/v1/charges"),
    .init("Stripe, client secret", json: #"{"id":"pi_1","client_secret":"pi_1_secret_§","livemode":false}"#),
    .init("Stripe, signature", "Stripe-Signature: t=1492774577,v1=§"),
    .init(
      "AWS, presigned",
      url:
        "https://b.s3.example/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIA%2F20130524%2Fus-east-1&X-Amz-Security-Token=§&X-Amz-Signature=§"
    ),
    .init(
      "AWS, presigned, version 2", url: "https://b.s3.example/k?AWSAccessKeyId=§&Signature=§%3D&Expires=1175139620"),
    .init("AWS, session", "X-Amz-Security-Token: §", "X-aws-ec2-metadata-token: §"),
    .init(
      "AWS, STS in XML", answer: [("Content-Type", "text/xml")],
      json:
        "<R><Credentials><AccessKeyId>A</AccessKeyId><SecretAccessKey>§/a</SecretAccessKey><SessionToken>§</SessionToken></Credentials></R>"
    ),
    .init("AWS, secrets manager", json: #"{"Name":"db","SecretString":"{\"username\":\"u\",\"password\":\"§\"}"}"#),
    .init(
      "AWS, task definition",
      json: #"{"environment":[{"name":"DB_PASSWORD","value":"§"},{"name":"HOST","value":"db"}]}"#),
    .init("CloudFront, signed URL", url: "https://d1.cloudfront.example/i.jpg?Expires=1&Signature=§~_&Key-Pair-Id=K1"),
    .init("Google, key in the query", url: "https://maps.example/geocode/json?address=a&key=AIza§"),
    .init("Google, key in a field", "X-Goog-Api-Key: §"),
    .init("Google, signed URL", url: "https://storage.example/o?X-Goog-Credential=a&X-Goog-Signature=§"),
    .init(
      "Google, refresh", body: "client_id=a&grant_type=refresh_token&refresh_token=1//§",
      json: #"{"expires_in":3599,"id_token":"\#(jwt)"}"#),
    .init(
      "Google, service account",
      json:
        #"{"type":"service_account","private_key_id":"1","private_key":"-----BEGIN PRIVATE KEY-----\n§\n-----END PRIVATE KEY-----\n"}"#
    ),
    .init("Azure, SAS", url: "https://a.blob.example/c/b?sv=2022-11-02&sr=b&sp=r&sig=§%2F%3D"),
    .init("Azure, subscription", "Ocp-Apim-Subscription-Key: §"),
    .init("Azure, function", url: "https://f.example/api?code=§==", "x-functions-key: §"),
    .init(
      "Azure, connection string", json: #"{"c":"Endpoint=sb://a.example/;SharedAccessKeyName=r;SharedAccessKey=§="}"#),
    .init("Slack, payload", body: "payload=%7B%22type%22%3A%22x%22%2C%22token%22%3A%22§%22%7D"),
    .init("Slack, legacy", url: "https://slack.example/api/auth.test?token=xoxb-§"),
    .init("Telegram", url: "https://api.telegram.example/bot110201543:AAHd§aB1-cD2_/getMe"),
    .init("OpenWeather", url: "https://weather.example/data?q=Bern&appid=§b1"),
    .init("Twilio, Basic", url: "https://AC1:§@api.twilio.example/Messages.json"),
    .init("Shopify", "X-Shopify-Access-Token: §"), .init("Heroku", "Authorization: Bearer §"),
    .init("Datadog", "DD-API-KEY: §", "DD-APPLICATION-KEY: §"),
    .init("Cloudflare", "X-Auth-Email: a@b.example", "X-Auth-Key: §"),
    .init("Vault", "X-Vault-Token: §", json: #"{"auth":{"client_token":"§","accessor":"a"}}"#),
    .init(
      "Firebase", url: "https://db.example/users.json?auth=§",
      body: #"{"email":"a@b.example","password":"§","returnSecureToken":true}"#,
      json: #"{"idToken":"§","refreshToken":"§","localId":"1"}"#),
    .init("Sentry, DSN", json: #"{"dsn":"https://§@o1.ingest.sentry.example/42"}"#),
    .init("Postgres", json: #"{"url":"postgres:\/\/u:§@db.example:5432\/d"}"#),
    .init(
      "OAuth, code", url: "https://app.example/cb?code=§&state=§#access_token=§",
      body: "grant_type=authorization_code&code=§&code_verifier=§"),
    .init(
      "OAuth, redirect",
      answer: [
        ("Location", "/cb?code=§&next=1#id_token=§"), ("Link", "<https://x.example/?access_token=§>; rel=next"),
        ("Refresh", "9; url=/?token=§"),
      ]),
    .init(
      "OAuth, in another URL",
      url: "https://login.example/?redirect_uri=https%3A%2F%2Fapp.example%2Fcb%3Faccess_token%3D§%26a%3Db&x=1",
      "Referer: https://app.example/?session_token=§"),
    .init(
      "OAuth 1", url: "https://x.example/?oauth_consumer_key=§&oauth_signature=§%3D&oauth_nonce=§",
      "Authorization: OAuth oauth_token=\"§\""),
    .init(
      "Digest",
      answer: [
        ("WWW-Authenticate", "Digest realm=\"a\", nonce=\"§\""), ("Authentication-Info", "nextnonce=\"§\""),
        ("Proxy-Authenticate", "Negotiate §"),
      ]),
    .init(
      "cookies", "Cookie: theme=dark; sid=§", "Cookie2: $Version=§", answer: [("Set-Cookie", "id=§; Path=/; HttpOnly")]),
    .init(
      "Rails", "X-CSRF-Token: §",
      body: "utf8=1&authenticity_token=§&user%5Bpassword%5D=§&user%5Bpassword_confirmation%5D=§"),
    .init(
      "Django", "X-CSRFToken: §", answer: [("Content-Type", "text/html")],
      json: #"<form><input type="hidden" name="csrfmiddlewaretoken" value="§"></form>"#),
    .init("Java", url: "https://shop.example/cart;jsessionid=§?item=1"),
    .init("SAML", body: "SAMLResponse=PHNh§PHNh&RelayState=a"),
    .init(
      "GraphQL",
      body:
        #"{"query":"mutation { login(user: \"a\", password: \"§\") { id } }","variables":{"input":{"newPassword":"§"}}}"#
    ),
    .init("a web token in a path", url: "https://x.example/verify/\(jwt)/done"),
    .init("a web token under any name", json: #"{"a":[{"b":"\#(jwt)"}]}"#),
    .init("two factors", body: #"{"otp":"§","pin":"§","recovery":{"secret":{"value":"§"}}}"#),
    .init("RapidAPI", "X-RapidAPI-Key: §"),
    .init("an array", url: "https://x.example/?token[]=§&token[]=§", body: #"{"tokens":["§",["§"]]}"#),
    .init("a proxy", "Proxy-Authorization: Basic §"),
    .init(
      "lines of text", answer: [("Content-Type", "text/plain")],
      json: "Authorization: Bearer §\ntoken: §\nX-Custom: Bearer §\npassword: §;x\n"),
    .init("a scheme under any name", "X-Custom: Bearer §", answer: [("X-Other", "Bearer §")]),
    .init("damaged", body: #"{"a":"b"" ,"password" : "§"#, json: #"}]"access_token":"§"#),
  ]
}

@Suite(.timeLimit(.minutes(10)))
struct SecretsTests {
  /// All outputs of a process that made this exchange, keyed by the kind of output.
  private func exports(_ example: SecretExample) async throws -> [String: String] {
    let scratch = try Scratch()
    var shell = Shell()
    shell.transport = HandlerTransport { request in
      let leadsOn = example.answer.contains { $0.name == "Location" } && request.request.url?.path != "/cb"
      let answer = leadsOn ? StubResponse.status(302) : .data(Data(example.answerBody.utf8))
      return example.answer.reduce(answer) { $0.header($1.name, $1.value) }
    }
    let request = example.headers.flatMap { ["-H", $0] } + (example.body.map { ["-d", $0] } ?? [])
    var exports: [String: String] = [:]
    for ending in ["html", "svg", "json", "csv", "events.csv", "packets.csv", "har"] {
      exports[ending] = scratch.folder.appendingPathComponent("t.\(ending)").path
    }
    let get = await shell.run(
      ["get", example.url, "--verbose", "--virtual"] + request + exports.values.flatMap { ["--trace", $0] })
    #expect(get.status == .done, "\(get.error)")
    exports["recording"] = scratch.folder.appendingPathComponent("recording.har").path
    let record = await shell.run(["record", example.url, "-o", exports["recording"]!] + request)
    #expect(record.status == .done)
    for (name, path) in exports { exports[name] = try String(contentsOfFile: path, encoding: .utf8) }
    exports["get"] = get.output + get.error
    exports["record"] = record.output + record.error
    exports.merge(try await search(example)) { $1 }
    return exports
  }

  private struct Broken: Error {
    let status: Int
    let url: URL
  }

  /// The output of a search that finds a bug, and the error of a stub that lacks the request.
  private func search(_ example: SecretExample) async throws -> [String: String] {
    var request = URLRequest(url: try #require(URL(string: example.url)))
    request.httpMethod = "POST"
    request.httpBody = example.body.map { Data($0.utf8) }
    for header in example.headers {
      let parts = header.split(separator: ":", maxSplits: 1)
      request.setValue(String(parts[1]), forHTTPHeaderField: String(parts[0]))
    }
    let profile = NetworkProfile(name: "broken", base: .init(), faults: [FaultRule(.status(code: 503))])
    let report = try await FailureSearch(profile, seeds: 0..<1).run { [request] network in
      network.stub("**", with: .status(200))
      let status = (try await network.data(for: request).1 as? HTTPURLResponse)?.statusCode ?? 0
      if let url = request.url, status == 503 { throw Broken(status: status, url: url) }
    }
    let failure = try #require(report.failures.first)
    #expect(failure.schedule?.faults.count == 1)
    let stub = StubTransport()
    stub.stub("https://other.example/", with: .status(200))
    let network = SimulatedNetwork(.unlimited, pace: .immediate, transport: stub)
    defer { network.invalidate() }
    var unmatched = ""
    do { _ = try await network.data(for: request) } catch { unmatched = error.localizedDescription }
    return [
      "search": "\(report)", "schedule": failure.schedule?.formatText ?? "",
      "events": "\(failure.timeline) \(failure.timeline.events)", "stub": "\(unmatched) \(stub.verify())",
    ]
  }

  @Test(arguments: SecretExample.all)
  func `no export of a recording or timeline contains a secret`(example: SecretExample) async throws {
    for (name, text) in try await exports(example) {
      let leaks = text.contains(SecretExample.secret)
      #expect(!text.isEmpty && !leaks, "\(name): \(text)")
    }
  }
}

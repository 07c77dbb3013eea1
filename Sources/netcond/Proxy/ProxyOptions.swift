import Internals
import NetworkConditions
import NetworkProxy

struct ProxyOptions {
  struct Forward: Equatable {
    let local: SocketAddress
    let host: String
    let port: UInt16
    /// The server as text, such as `localhost:5432` or `[::1]:5432`.
    var target: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Reads `LOCAL=HOST:PORT`.
    init?(_ text: String) {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, let local = SocketAddress(parts[0]), let colon = parts[1].lastIndex(of: ":"),
        let port = UInt16(parts[1][parts[1].index(after: colon)...]), port > 0
      else { return nil }
      let host = parts[1][..<colon]
      let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
      guard !host.isEmpty, isBracketed || !host.contains(":") else { return nil }
      self.local = local
      self.host = isBracketed ? String(host.dropFirst().dropLast()) : String(host)
      self.port = port
    }
  }

  var profile = "3G"
  var beginning: String?
  var seed: UInt64 = 0
  var speed = 1.0
  var listen = SocketAddress.loopback(port: 8080)
  var forwards: [Forward] = []
  /// The address of the control API; `nil` when there is none.
  var control: SocketAddress?
  var configuration: String?
  var traces: [GetOptions.Trace] = []
  var redaction = Redaction.standard
  var json = false
  var takesStandardOutput = false

  init(_ arguments: Arguments) throws {
    if let name = arguments[GetOptions.profileOption] { profile = name }
    beginning = arguments[ProfileFacts.beginningOption]
    let whole = "a whole number from 0 to \(UInt64.max); write for example --seed 42"
    try arguments.set(&seed, to: GetOptions.seedOption, such: whole) { UInt64($0) }
    try arguments.set(&speed, to: GetOptions.speedOption, such: "a factor from 0.001 to 1000; write for example 10") {
      Arguments.number($0, in: 0.001...1000)
    }
    let address = "an address and a port, or a port of 127.0.0.1; write for example --listen 127.0.0.1:8080"
    try arguments.set(&listen, to: Self.listenOption, such: address) { SocketAddress($0) }
    forwards = try arguments[all: Self.forwardOption].map { text in
      guard let forward = Forward(text) else {
        throw UsageError("--forward: \"\(text)\" is not a forward; write for example --forward 5433=localhost:5432")
      }
      return forward
    }
    let place = "an address and a port, or a port of 127.0.0.1; write for example --control 8474"
    control = try arguments.value(of: Self.controlOption, such: place) { SocketAddress($0) }
    configuration = arguments[Self.configurationOption]
    if configuration != nil { control = control ?? .loopback(port: 8474) }
    traces = try GetOptions.traces(arguments[all: GetOptions.traceOption])
    redaction = RedactionOptions.redaction(arguments)
    json = arguments[flag: .json]
    takesStandardOutput = try Output.takesStandard(traces.map { (GetOptions.traceOption, $0.path) }, json: json)
  }

  static let listenOption = Option(
    "listen", short: "l", value: "ADDRESS:PORT",
    help: "where to listen, for both HTTP and SOCKS5 (127.0.0.1:8080); port 0 takes a free one")
  static let forwardOption = Option(
    "forward", short: "f", value: "LOCAL=HOST:PORT", repeats: true,
    help: "open a port that forwards to one server, for programs without proxy support")

  static let controlOption = Option(
    "control", value: "ADDRESS:PORT", help: "open toxiproxy's API there, and netcond's own below /netcond")
  static let configurationOption = Option(
    "config", value: "FILE", help: "open the proxies of a toxiproxy configuration file, and its API at port 8474")

  static let usage = Usage(
    options: [
      GetOptions.profileOption, ProfileFacts.beginningOption, GetOptions.seedOption, listenOption, forwardOption,
      controlOption, configurationOption, GetOptions.speedOption, GetOptions.traceOption, .json,
    ] + RedactionOptions.all,
    examples: [
      "netcond proxy --profile tunnel --seed 42 &", "curl -x http://127.0.0.1:8080 http://example.com/",
      "https_proxy=http://127.0.0.1:8080 git clone https://example.com/repository",
      "netcond proxy --profile 3G --forward 5433=localhost:5432 --trace proxy.html",
      "netcond proxy --profile unlimited --config toxiproxy.json",
    ],
    inCode: "NetworkProxy.",
    notes: [
      "All connections share the profile's link: bytes arrive when TCP would have delivered them, and a lost packet costs "
        + "time, never a byte. It runs until Ctrl-C.",
      "Exit status: 0 it was interrupted, 1 it cannot listen, 2 wrong usage.",
    ])
}

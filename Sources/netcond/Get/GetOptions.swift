import Foundation
import NetworkConditions

struct GetOptions {
  /// The URL to fetch; `nil` is the embedded server's.
  var url: URL?
  var recording: String?
  var profile = "3G"
  var version: StreamRequest.HTTPVersion?
  var beginning: String?
  var demoBytes = Demo.usualBytes
  var note: String?
  var seed: UInt64 = 0
  var speed = 1.0
  var isVirtual = false
  let request: RequestOptions
  /// The file for the body; `-` is standard output, and with `nil` the bytes are only counted.
  var output: String?
  var takesStandardOutput = false
  var traces: [Trace] = []
  var redaction = Redaction.standard
  var json = false
  var verbose = false

  struct Trace: Sendable {
    let path: String
    let format: TraceFormat
  }

  init(_ arguments: Arguments) throws {
    if let text = arguments.operands.first { url = try Self.url(text) }
    if let name = arguments[Self.profileOption] { profile = name }
    beginning = arguments[ProfileFacts.beginningOption]
    try arguments.set(&version, to: SimulateOptions.versionOption, such: "a version of HTTP; write 1.1, 2 or 3") {
      StreamRequest.HTTPVersion(rawValue: $0).map(Optional.some)
    }
    if let version, version != .http1, url?.scheme?.lowercased() == "http" {
      throw UsageError("--http \(version.rawValue) needs TLS; write a URL that begins with https")
    }
    let whole = "a whole number from 0 to \(UInt64.max); write for example --seed 42"
    try arguments.set(&seed, to: Self.seedOption, such: whole) { UInt64($0) }
    request = try RequestOptions(arguments)
    try arguments.set(&speed, to: Self.speedOption, such: "a factor from 0.001 to 1000000; write for example 10") {
      Arguments.number($0, in: 0.001...1e6)
    }
    isVirtual = arguments[flag: Self.virtualOption]
    if isVirtual, arguments[Self.speedOption] != nil {
      throw UsageError("--virtual never waits, so --speed has no effect; leave one of them out")
    }
    recording = arguments[Self.fromOption]
    output = arguments[Self.outputOption]
    traces = try Self.traces(arguments[all: Self.traceOption], besides: output)
    redaction = RedactionOptions.redaction(arguments)
    json = arguments[flag: .json]
    verbose = arguments[flag: Self.verboseOption]
    takesStandardOutput = try Output.takesStandard(
      (output.map { [(Self.outputOption, $0)] } ?? []) + traces.map { (Self.traceOption, $0.path) }, json: json)
  }

  /// Reads a URL; a text without a scheme that begins with a host or an address gets the scheme http.
  static func url(_ text: String) throws -> URL {
    let text = isHost(text) ? "http://\(text)" : text
    guard let url = URL(written: text), let scheme = url.scheme, !scheme.isEmpty, !scheme.contains(".") else {
      throw UsageError("\"\(Redaction.standard.url(text))\" is not a URL; write for example https://example.com/file")
    }
    guard url.host != nil || !["http", "https"].contains(scheme.lowercased()) else {
      throw UsageError("\"\(Redaction.standard.url(text))\" has no host; write for example https://example.com/file")
    }
    return url
  }

  private static func isHost(_ text: String) -> Bool {
    let authority = text.prefix { !"/?#".contains($0) }
    let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
    guard !text.contains("://"), let host = parts.first, !host.isEmpty else { return false }
    if authority.hasPrefix("[") { return authority.contains("]") }
    guard parts.count < 3, host.allSatisfy({ $0.isLetter || $0.isNumber || ".-_".contains($0) }) else { return false }
    return parts.count == 2 ? UInt16(parts[1]) != nil : host == "localhost" || host.contains(".")
  }

  static func traces(_ paths: [String], besides output: String? = nil) throws -> [Trace] {
    var taken = Set([output].compactMap { $0 }.map { URL(fileURLWithPath: $0).standardizedFileURL.path })
    return try paths.map { text in
      let (format, path) = try TraceFormat.of(text)
      guard taken.insert(URL(fileURLWithPath: path).standardizedFileURL.path).inserted else {
        throw UsageError("--trace: \"\(path)\" would be written twice; name another file")
      }
      return Trace(path: path, format: format)
    }
  }

  static let profileOption = Option(
    "profile", short: "p", value: "NAME|FILE", help: "the network's profile (3G): a name, or a JSON file")
  static let seedOption = Option("seed", short: "s", value: "N", help: "decides everything random (0)")
  static let fromOption = Option(
    "from", value: "FILE.har",
    help: "answer from this recording, not the network; it may be gzipped; without a URL, its first GET")
  static let speedOption = Option("speed", value: "X", help: "run the network's time X times as fast (1)")
  static let virtualOption = Option("virtual", help: "do not wait: compute the network's time, and report at once")
  static let outputOption = Option(
    "output", short: "o", value: "FILE",
    help: "write the body of an answer below status 400 to FILE; - is standard output")
  static let traceOption = Option(
    "trace", value: "FILE", repeats: true,
    help:
      "write what happened: .html a page, .svg a picture, .json trace events for Perfetto, .har an archive, .csv a table, "
      + ".events.csv every event, .packets.csv every packet")
  static let verboseOption = Option(
    "verbose", short: "v", help: "show headers and every event on standard error, without secrets")

  static let usage = Usage(
    operands: "[URL]", count: 0...1,
    options: [
      profileOption, ProfileFacts.beginningOption, seedOption, fromOption, RequestOptions.timeoutOption, speedOption,
      virtualOption, SimulateOptions.versionOption, RequestOptions.methodOption, RequestOptions.headerOption,
      RequestOptions.dataOption, outputOption,
      traceOption, .json, verboseOption,
    ] + RedactionOptions.all,
    examples: [
      "netcond get --profile tunnel --seed 42",
      "netcond get --profile tunnel --at '43 s' localhost:8080/file",
      "netcond get --profile EDGE --virtual --http 3",
      "netcond get https://example.com/file --profile 3G -o file",
      "netcond get --from site.har https://example.com/file --profile 3G",
      "netcond get --profile tunnel --virtual --trace tunnel.html --trace tunnel.json",
    ],
    inCode: "SimulatedNetwork(\"tunnel\", seed: 42).sessionConfiguration makes an ordinary URLSession.",
    notes: [
      "Without a URL, it is its own server and needs no network; if the profile changes, it then shows the worst phase.",
      "The system must trust the server's certificate: Foundation accepts no others.",
      "Exit status: 0 done, 1 the transfer failed or the status is 400 or above, 2 wrong usage, 129 hung up, "
        + "130 interrupted, 143 terminated.",
    ])
}

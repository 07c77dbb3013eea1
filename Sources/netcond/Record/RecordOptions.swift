import NetworkConditions
import URLLoading

/// What `netcond record` is asked to do, read from its command line and checked.
struct RecordOptions {
  let urls: [URL]
  let file: URL
  let overwrites: Bool
  let redaction: Redaction
  let json: Bool
  /// Whether the archive goes to standard output, so that the words go elsewhere.
  let takesStandardOutput: Bool
  /// Method, header fields, body and time limit, as `netcond get` takes them.
  let request: RequestOptions

  init(_ arguments: Arguments) throws {
    urls = try arguments.operands.map(GetOptions.url)
    guard let path = arguments[Self.outputOption], !path.isEmpty else {
      throw UsageError("needs a file to write to: --output FILE.har")
    }
    file = URL(fileURLWithPath: path == "-" ? "/dev/stdout" : path)
    overwrites = arguments[flag: Self.forceOption]
    redaction = RedactionOptions.redaction(arguments)
    json = arguments[flag: .json]
    takesStandardOutput = try Output.takesStandard([(Self.outputOption, path)], json: json)
    request = try RequestOptions(arguments)
  }

  static let outputOption = Option("output", short: "o", value: "FILE", help: "the archive to write; needed")
  static let forceOption = Option("force", short: "f", help: "replace an archive that is there already")

  static let usage = Usage(
    operands: "URL...", count: 1...Int.max,
    options: [
      outputOption, forceOption, GetOptions.methodOption, GetOptions.headerOption, GetOptions.dataOption,
      GetOptions.timeoutOption, .json,
    ] + RedactionOptions.all,
    notes: [
      "Fetches each URL over the real network and writes a HAR 1.2 file; bodies above 1 MiB stand in a folder beside it. An "
        + "archive that is there already is replaced only when all were answered.",
      "Exit status: 0 all were answered, whatever the status, 1 a transfer failed, 2 wrong usage.", "",
      "  netcond record https://example.com/feed https://example.com/logo -o site.har",
      "  netcond get --from site.har https://example.com/feed --profile 3G --virtual",
    ])
}

/// The options about one request.
struct RequestOptions {
  private let method: String?
  private let headers: [HeaderField]
  private let body: GetOptions.Body?
  private let timeout: Double?

  init(_ arguments: Arguments) throws {
    method = try GetOptions.method(arguments)
    headers = try arguments[all: GetOptions.headerOption].map(GetOptions.header)
    body = try arguments[GetOptions.dataOption].map(GetOptions.body)
    timeout = try GetOptions.timeout(arguments)
  }

  /// The request for a URL.
  func request(_ url: URL) throws -> URLRequest {
    var request = URLRequest(url: url)
    request.httpMethod = method ?? (body == nil ? "GET" : "POST")
    if let timeout { request.timeoutInterval = timeout }
    for field in headers { request.addValue(field.value, forHTTPHeaderField: field.name) }
    switch body {
    case nil: break
    case .bytes(let data): request.httpBody = data
    case .file(let file): request.httpBody = try Data(contentsOf: file, options: .mappedIfSafe)
    }
    return request
  }
}

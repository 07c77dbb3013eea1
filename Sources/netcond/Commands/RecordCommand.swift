import Internals
import NetworkConditions
import TrafficRecording
import URLLoading

struct RecordCommand: Subcommand {
  static let name = "record"
  static let abstract = "fetch URLs over the real network, and record them as a HAR file"
  static let usage = RecordOptions.usage

  func run(_ arguments: Arguments, on console: Console) async throws -> ExitStatus {
    let options = try RecordOptions(arguments)
    let interrupt = Interrupt()
    defer { interrupt.stop() }
    let recording: RecordingTransport
    let facts = try? FileManager.default.attributesOfItem(atPath: options.file.resolvingSymlinksInPath().path)
    let isThere = facts?[.type] as? FileAttributeType == .typeRegular && !options.takesStandardOutput
    do {
      recording = try RecordingTransport(
        console.overrides.transport ?? URLSessionTransport(), to: options.file, overwrites: options.overwrites)
    } catch {
      guard case .alreadyExists(let path) = error else { throw error }
      throw UsageError("--output: \"\(path)\" already exists; name another file, or write --force", .fileExists)
    }
    if console.overrides.transport == nil {
      SessionTrap.explain(by: "record", on: console) {
        if isThere { recording.discard() }
        guard !isThere, let count = try? recording.finish() else { return "" }
        return " Saved \(options.file.path.printable) with \(FigureText.count(count, "exchange"))."
      }
    }
    // Without conditions, the network only follows redirects and applies time limits. Each hop is recorded.
    let network = SimulatedNetwork(
      .unlimited, pace: console.overrides.runsAtOnce ? .immediate : .realTime, transport: recording)
    network.redaction = options.redaction
    defer { network.invalidate() }
    let transfers = Task {
      var results: [RecordReport.Result] = []
      for url in options.urls where !Task.isCancelled {
        results.append(await Self.fetch(url, options, network))
      }
      return results
    }
    interrupt.call { transfers.cancel() }
    let results = await transfers.value
    let isWhole = interrupt.signal == nil && results.allSatisfy { $0.failure == nil }
    var report = RecordReport(file: options.file.path, results: results)
    if isThere, !isWhole { recording.discard() } else { report.entries = try recording.finish() }
    report.omissions = recording.omissions
    console.show(options.json ? report.json : nil, isTaken: options.takesStandardOutput) { _, _ in report.lines }
    for case let failure? in results.map(\.failure) { console.fail("record: \(failure.line)") }
    if let signal = interrupt.signal { return .after(signal: signal) }
    return isWhole ? .done : .failed
  }

  private static func fetch(
    _ url: URL, _ options: RecordOptions, _ network: SimulatedNetwork
  ) async -> RecordReport.Result {
    var result = RecordReport.Result(url: network.redaction.url(url.absoluteString))
    do {
      if let failure = Failure.unsupported(url) { throw failure }
      var request = options.request.request(url)
      if case .file(let file)? = options.request.body {
        request.httpBody = try Data(contentsOf: file, options: .mappedIfSafe)
      }
      let (bytes, response) = try await network.bytes(for: request)
      result.status = (response as? HTTPURLResponse)?.statusCode
      for try await chunk in bytes.chunks { result.bytes += Int64(chunk.count) }
    } catch {
      result.failure = Failure(error, network.redaction)
    }
    return result
  }
}

struct RecordReport {
  struct Result: Sendable {
    let url: String
    var status: Int?
    var bytes: Int64 = 0
    var failure: Failure?

    var line: String {
      let head = status.map { "\($0)" } ?? "no response"
      return "\(head)  \(url.printable)  \(failure?.line ?? Amounts.bytes(bytes))"
    }

    var json: JSON {
      [
        "url": .string(url), "status": status.map { .integer($0) } ?? .null, "bytes": .integer(bytes),
        "error": JSON(failure?.sentence), "error_code": JSON(failure?.code),
      ]
    }
  }

  let file: String
  let results: [Result]
  /// How many exchanges were recorded; `nil` when the existing archive was kept.
  var entries: Int?
  var omissions = HTTPArchive.Omissions()

  var json: JSON {
    [
      "file": .string(file), "entries": entries.map { .integer($0) } ?? .null,
      "redacted": .integer(omissions.total),
      "transfers": .array(results.map(\.json)),
    ]
  }

  var lines: [String] {
    let end = entries.map { "saved \(file.printable), \($0) \($0 == 1 ? "entry" : "entries"), \(omissions)" }
    return results.map(\.line) + [end ?? "\(file.printable) is unchanged: not all requests were answered"]
  }
}

struct RecordOptions {
  let urls: [URL]
  let file: URL
  let overwrites: Bool
  let redaction: Redaction
  let json: Bool
  let takesStandardOutput: Bool
  /// Method, header fields, body and time limit, as for `netcond get`.
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

  static let outputOption = Option("output", short: "o", value: "FILE", help: "the archive to write; required")
  static let forceOption = Option("force", short: "f", help: "replace an archive that already exists")

  static let usage = Usage(
    operands: "URL...", count: 1...Int.max,
    options: [
      outputOption, forceOption, RequestOptions.methodOption, RequestOptions.headerOption, RequestOptions.dataOption,
      RequestOptions.timeoutOption, .json,
    ] + RedactionOptions.all,
    examples: [
      "netcond record https://example.com/feed https://example.com/logo -o site.har",
      "netcond get --from site.har https://example.com/feed --profile 3G --virtual",
    ],
    inCode: "RecordingTransport records what your own client requests; RecordedTransport answers it.",
    notes: [
      "Fetches each URL over the real network and writes a HAR 1.2 file; bodies above 1 MiB go to a folder beside it. An "
        + "existing archive is replaced only when all requests were answered.",
      "Exit status: 0 all requests were answered, whatever the status, 1 a transfer failed, 2 wrong usage, 129 hung up, "
        + "130 interrupted, 143 terminated.",
    ])
}

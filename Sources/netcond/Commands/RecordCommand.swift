import NetworkConditions
import TrafficRecording
import URLLoading

/// `netcond record`: fetches URLs over the real network and writes what came as an HTTP archive.
struct RecordCommand: Subcommand {
  static let name = "record"
  static let abstract = "fetch URLs over the real network, and record them as a HAR file"
  static let usage = RecordOptions.usage

  func run(_ arguments: Arguments, on console: Console) async throws -> ExitStatus {
    let options = try RecordOptions(arguments)
    let recording: RecordingTransport
    let facts = try? FileManager.default.attributesOfItem(atPath: options.file.resolvingSymlinksInPath().path)
    let isThere = facts?[.type] as? FileAttributeType == .typeRegular && !options.takesStandardOutput
    do {
      recording = try RecordingTransport(
        console.overrides.transport ?? URLSessionTransport(), to: options.file, overwrites: options.overwrites)
    } catch {
      guard case .alreadyExists(let path) = error else { throw error }
      throw UsageError("--output: \"\(path)\" is there already; name another file, or write --force")
    }
    // Without conditions: it follows redirects and keeps time limits, and each hop is recorded.
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
    let interrupt = Interrupt { transfers.cancel() }
    let results = await transfers.value
    interrupt.stop()
    let isWhole = interrupt.signal == nil && results.allSatisfy { $0.failure == nil }
    var report = RecordReport(file: options.file.path, results: results)
    if isThere, !isWhole { recording.discard() } else { report.entries = try recording.finish() }
    report.omissions = recording.omissions
    if options.json {
      console.out(report.json)
    } else {
      let text = report.lines.joined(separator: "\n") + "\n"
      if options.takesStandardOutput { console.error(text) } else { console.out(text) }
    }
    for case let failure? in results.map(\.failure) { console.fail("record: \(failure.line)") }
    if let signal = interrupt.signal { return .after(signal: signal) }
    return isWhole ? .done : .failed
  }

  private static func fetch(
    _ url: URL, _ options: RecordOptions, _ network: SimulatedNetwork
  ) async -> RecordReport.Result {
    var result = RecordReport.Result(url: network.redaction.url(url.absoluteString))
    do {
      let (bytes, response) = try await network.bytes(for: options.request.request(url))
      result.status = (response as? HTTPURLResponse)?.statusCode
      for try await chunk in bytes.chunks { result.bytes += Int64(chunk.count) }
    } catch {
      result.failure = Failure(error, network.redaction)
    }
    return result
  }
}

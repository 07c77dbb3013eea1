import Internals
import NetworkConditions
import URLLoading

/// One transfer of `netcond get` over a `URLSession` of a simulated network, with all of its output.
struct GetTransfer {
  let options: GetOptions
  let network: SimulatedNetwork
  let console: Console

  static let demo = "https://netcond.example/demo"

  var url: String { options.url?.absoluteString ?? Self.demo }

  func run() async throws -> (report: GetReport, signal: Int32?) {
    network.redaction = options.redaction
    if options.url == nil { network.stub("*", with: .bytes(count: options.demoBytes)) }
    guard let url = URL(string: url) else { throw UsageError("\"\(self.url)\" is not a URL") }
    let request = options.request.request(url)
    let interrupt = Interrupt()
    defer { interrupt.stop() }
    let traces = try TraceFiles(options.traces, on: console)
    defer { traces.discard() }
    if !options.traces.isEmpty { network.recordsPackets = true }
    let output = try options.output.map { try Output($0, of: GetOptions.outputOption, on: console) }
    defer { output?.discard() }
    let log = options.verbose ? EventLog(console: console, redaction: options.redaction) : nil
    let delegate = TransferDelegate(willReceive: { log?.show($0) }, receive: { try output?.write($0) })
    let (result, signal) = await carry(request, delegate: delegate, log: log, until: interrupt)
    var failure = failure(of: result, signal: signal)
    var saved: String?
    var written: [String] = []
    do {
      if failure == nil, let output {
        try output.keep()
        saved = output.path == "-" ? nil : output.path
      }
      written = try traces.write(network.timeline)
    } catch {
      failure = failure ?? Failure(error)
    }
    let report = GetReport(
      url: self.url, profile: network.profile.name, seed: options.seed, speed: options.speed, result: result,
      failure: failure, timeline: network.timeline, schedule: network.profile.schedule, note: options.note,
      saved: saved, traces: written)
    return (report, signal)
  }

  private func carry(
    _ request: URLRequest, delegate: TransferDelegate, log: EventLog?, until interrupt: Interrupt
  ) async -> (TransferDelegate.Result, Int32?) {
    let configuration = network.sessionConfiguration
    configuration.timeoutIntervalForResource = 7 * 24 * 3600
    let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    // The task is cancelled and awaited at the end, and then prints the remaining events.
    async let _: Void = show(log == nil ? nil : network.events, in: log)
    log?.show(request)
    let isMixed = console.isOutputTerminal && options.takesStandardOutput
    let isMoving = console.isLive && log == nil && !isMixed && !options.isVirtual
    let live = isMoving ? LiveProgress(network, on: console) : nil
    let task: URLSessionTask =
      if case .file(let file)? = options.request.body {
        session.uploadTask(with: request, fromFile: file)
      } else {
        session.dataTask(with: request)
      }
    interrupt.call { task.cancel() }
    task.resume()
    let result = await delegate.end()
    await live?.stop()
    session.finishTasksAndInvalidate()
    return (result, interrupt.signal)
  }

  private func show(_ events: AsyncStream<NetworkEvent>?, in log: EventLog?) async {
    guard let events, let log else { return }
    for await event in events { log.show(event) }
  }

  private func failure(of result: TransferDelegate.Result, signal: Int32?) -> Failure? {
    if signal != nil {
      return Failure(sentence: "The transfer was interrupted.", explanation: .transferFailed, code: "cancelled")
    }
    if let error = result.error { return Failure(error, options.redaction) }
    if let status = result.response?.statusCode, status >= 400 {
      return Failure(sentence: "The server answered with status \(status).", explanation: .transferFailed)
    }
    return nil
  }
}

/// Prints the output of `--verbose`: header fields without secrets, and events, one on each line.
struct EventLog: Sendable {
  let console: Console
  let redaction: Redaction

  /// Prints an event in one line, except pieces of bodies, since there are thousands.
  func show(_ event: NetworkEvent) {
    let style = console.errorStyle
    let role: Style.Role
    var text = "\(event.kind)"
    switch event.kind {
    case .received, .uploaded: return
    case .packetLost, .retransmitted, .stalled: role = .warning
    case .failed(let code): (role, text) = (.bad, "failed (\(Failure.name(of: code)))")
    case .timedOut, .fault, .cancelled: role = .bad
    case .phaseEntered, .conditionsChanged: role = .strong
    default: role = .plain
    }
    console.error("\(style(.faint, "\(event.time)".padded(to: 14, right: true)))  \(style(role, text.printable))\n")
  }

  func show(_ request: URLRequest) {
    let url = redaction.url(request.url?.absoluteString ?? "")
    lines(">", "\(request.httpMethod ?? "GET") \(url)", redaction.headers(request.allHTTPHeaderFields ?? [:]))
  }

  func show(_ response: HTTPURLResponse) {
    lines("<", "\(response.statusCode)", redaction.headers(of: response))
  }

  private func lines(_ mark: String, _ first: String, _ fields: [HeaderField]) {
    for line in [first] + fields.map({ "\($0.name): \($0.value)" }) {
      console.error("\(console.errorStyle(.faint, mark)) \(line.printable)\n")
    }
  }
}

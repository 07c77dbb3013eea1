import URLLoading

extension EngineState {
  mutating func begin(
    _ request: URLRequest, body: RequestBody, uploadSize: Int64?, settings: ExchangeSettings, sink: any ExchangeSink
  ) -> Int {
    let line = RequestLine(request, identities: &identities)
    let exchange = exchanges.insert { id in
      Exchange(id: id, request: request, body: body, settings: settings, sink: sink, line: line, at: time)
    }
    exchange.upload.size = uploadSize
    noteProgress()
    if uploadSize == nil { outside.openUploads += 1 }
    start(exchange)
    if let configurationError { end(exchange.id, with: .failed(configurationError)) }
    return exchange.id
  }

  mutating func start(_ exchange: Exchange) {
    var problem: ProfileError?
    do {
      exchange.path = try paths.path(for: exchange.request, at: time)
    } catch {
      (exchange.path, problem) = (0, error)
    }
    exchange.line.version = version(for: exchange)
    exchange.line.isCached = cache.answers(exchange.request, exchange.line)
    let line = exchange.line
    exchange.transfer = Transfer(
      number: timeline.nextTransfer(), method: line.method, url: line.url, shownURL: line.shownURL,
      occurrence: line.occurrence, profile: paths.name(of: exchange.path), client: exchange.settings.client,
      version: line.version, started: time)
    exchange.transfer.repetition = exchange.repetition
    exchange.upload.headBytes = headBytes(of: exchange)
    exchange.plan = paths.faultPlan(
      for: exchange.request, line,
      length: (exchange.upload.headBytes, exchange.upload.size), path: exchange.path, at: time)
    details?.contents[exchange.transfer.number] = TransferContents(of: exchange)
    record(.started(method: line.method, url: line.shownURL), of: exchange)
    if let problem { return fail(exchange, .resourceUnavailable, because: "\(problem)") }
    for fault in exchange.plan.descriptions { record(.fault(fault), of: exchange) }
    if exchange.plan.extraDelay > .zero {
      add(.depart(exchange.id), for: exchange, at: time.advanced(by: exchange.plan.extraDelay))
    } else {
      depart(exchange)
    }
  }

  /// Chooses an exchange's version of HTTP.
  ///
  /// After a server's announcement of HTTP/3, the next connection uses it. An open HTTP/2 connection stays in use (an
  /// Apple engineer, developer forums, thread 733690).
  private mutating func version(for exchange: Exchange) -> StreamRequest.HTTPVersion {
    let server = exchange.line.server
    let ends = paths.configuration(of: exchange.path)
    let version = server.version(between: ends)
    guard version == .http3, ends.http3Announcement == .answers, !exchange.request.assumesHTTP3 else { return version }
    guard alternatives.offersHTTP3(server, at: time) else { return .http2 }
    return paths.hasConnection(to: server, .http2, on: exchange.path, at: time) ? .http2 : .http3
  }

  /// The size of a request's head; over HTTP/2 it depends on the connection's earlier heads.
  private mutating func headBytes(of exchange: Exchange) -> Int64 {
    let (line, request) = (exchange.line, exchange.request)
    guard line.version == .http2 else { return WireFormat.requestHeadBytes(request, line) }
    let origin = PathOrigin(path: exchange.path, server: line.server)
    if let opener = compressions[origin]?.opener {
      let isBeingMade = opener != exchange.id && exchanges[opener].map { $0.transfer.connected == nil } ?? false
      if !isBeingMade, !paths.hasConnection(to: line.server, .http2, on: exchange.path, at: time) {
        compressions[origin] = nil
      }
    }
    // Before a body, the head has a frame of its own. The simulator does not add that frame's bytes.
    return compressions[origin, default: HeaderCompression(opener: exchange.id)]
      .bytes(of: WireFormat.requestFields(request, line))
      + (exchange.upload.size == 0 ? 0 : WireFormat.frameHeadBytes)
  }

  mutating func depart(_ exchange: Exchange) {
    let (line, upload) = (exchange.line, exchange.upload)
    var priority: ResponsePriority?
    if line.version == .http2, paths.configuration(of: exchange.path).scheduling == .fair {
      priority = exchange.request.value(forHTTPHeaderField: "Priority").map { ResponsePriority(field: $0) }
    }
    let request = StreamRequest(
      key: line.key, host: line.server.host, port: line.server.port, isSecure: line.server.isSecure,
      version: line.version, headBytes: upload.headBytes, priority: priority,
      needsResolution: line.server.needsResolution, faults: exchange.plan.streamFaults, owner: exchange.id)
    let stream = paths.entries[exchange.path].change(at: time) { $0.open(request) }
    exchange.stage = .requesting(stream)
    if exchange.repetition == .withoutBody { return }
    paths.write(
      upload.headBytes + (upload.size ?? upload.ready), .up, on: exchange.path, stream: stream,
      finishing: upload.size != nil, at: time)
  }

  /// Adds bytes that were read from a body's stream; `whole` is the complete body, at its end.
  mutating func extendUpload(of id: Int, by count: Int64, whole: RequestBody?) {
    guard wantsUpload(id), let exchange = exchanges[id] else { return }
    noteProgress()
    exchange.upload.ready += count
    if let whole {
      closeUpload(exchange)
      exchange.body = whole
    }
    guard let stream = exchange.stream else { return }
    paths.write(count, .up, on: exchange.path, stream: stream, finishing: whole != nil, at: time)
  }

  /// Whether an exchange needs more bytes of its body's stream; at the end of a hop the rest is dropped.
  func wantsUpload(_ id: Int) -> Bool {
    exchanges[id].map { !$0.hasEnded && $0.upload.size == nil } ?? false
  }

  mutating func closeUpload(_ exchange: Exchange) {
    guard exchange.upload.size == nil else { return }
    outside.openUploads -= 1
    exchange.upload.size = exchange.upload.ready
  }
}

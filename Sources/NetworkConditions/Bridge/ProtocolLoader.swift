import Dispatch
import Internals
import URLLoading

/// Passes one URLProtocol's request to an exchange, and the exchange's output to the protocol's client.
///
/// The client accepts calls only in its own context (``ClientContext``) and before the end. On Linux it also requires a
/// fixed order. This class follows these rules.
// Unchecked: only the client's context touches `urlProtocol` and every `var`. The inbox has a lock.
final class ProtocolLoader: ExchangeSink, @unchecked Sendable {
  private struct Inbox {
    /// Whether `start` is still running; `start` fetches output itself before it returns.
    var isStarting = true
    var hasOutput = false
    /// The next fetch waits until this time (`DispatchTime`, nanoseconds), so that more output gathers after a large
    /// piece.
    var notBefore: UInt64 = 0

    var mayFetch: Bool { notBefore == 0 || notBefore <= DispatchTime.uptime }
  }

  /// After a fetch of this many bytes, the next one waits for ``pause``: clients read a few large pieces much faster.
  private static let largeHelping = 64 << 10
  /// How long the loader collects output after a large fetch: 1 ms, in nanoseconds.
  private static let pause: UInt64 = 1_000_000

  private let inbox = Mutex(Inbox())
  private var urlProtocol: URLProtocol?
  private let binding: SessionBinding?
  private var context: ClientContext?
  private var exchange: Int?
  /// The body so far, for a client that takes only one piece.
  private var gathered = Data()
  private var isGathering: Bool?
  private var progress = TaskProgress()
  /// The delegate call for an upload's progress; looked up once and only for an upload, because the look-up is slow.
  private lazy var callDelegate = urlProtocol.flatMap(ClientContext.callDelegate)
  /// The redirects that the client has followed, and when the first of their requests began.
  private var (redirects, begun): (Int, SimulatedInstant?) = (0, nil)

  init(_ urlProtocol: SimulatedURLProtocol) {
    self.urlProtocol = urlProtocol
    binding = ProtocolSlots.binding(of: type(of: urlProtocol))
  }

  // MARK: Called by the URL loading system, in the client's context

  func start() {
    guard let urlProtocol, binding?.engine.simulation?.isRefused != true else { return }
    if let sessions {
      context = ClientContext(of: urlProtocol)
      sessions.loadDidBegin(urlProtocol, in: context)
    }
    if ClientContext.isCancelled(urlProtocol) { return }
    guard let binding else {
      return end(with: .refused(.endedNetwork, .cancelled, url: urlProtocol.request.url, because: Self.noNetwork))
    }
    if let refusal = FoundationLimits.refusal(of: urlProtocol) ?? URLError.refusal(of: urlProtocol.request.url) {
      return end(with: refusal)
    }
    let upload = urlProtocol.task?.ownUpload
    let source = upload ?? .find(in: urlProtocol.request)
    if case .failed(let error) = source { return end(with: error) }
    // On Apple platforms a protocol sees each body as a stream, an upload's too, and does not know its size.
    if let refusal = URLError.refusal(of: urlProtocol.request, hasBody: upload == nil && source.size ?? 0 > 0) {
      return end(with: refusal)
    }
    load(urlProtocol.request, from: source, sendsCookies: !ClientContext.sendsCookies)
    finishStart()
    // The answer needs the client's context, which exists only now.
    guard case .delegate(let ask) = source else { return }
    ask { [weak self] stream in
      // The delegate gives the stream away and does not touch it again.
      nonisolated(unsafe) let stream = stream
      self?.perform { $0.read(stream, for: binding.engine) }
    }
  }

  private func load(_ request: URLRequest, from source: UploadSource, sendsCookies: Bool) {
    guard let urlProtocol, let binding else { return }
    var (request, settings) = binding.prepare(
      request, source, followsRedirects: !ClientContext.clientFollowsRedirects(of: urlProtocol),
      sendsCookies: sendsCookies)
    if binding.engine.recordsContents { settings.takesWhole = ClientContext.takesOnePiece(urlProtocol) }
    if !settings.followsRedirects {
      (settings.redirects, settings.begun) = (redirects, begun ?? ClientContext.begun(request))
    }
    let (id, output) = binding.engine.begin(
      request, body: source.body, uploadSize: source.size, settings: settings, sink: self, takesAtOnce: true)
    exchange = id
    if let output { give(output) }
    if case .stream(let stream) = source { read(stream, for: binding.engine) }
  }

  func suspend(_ isSuspended: Bool) {
    guard let binding, let exchange else { return }
    binding.engine.suspend(exchange, isSuspended)
  }

  func stop() {
    let isOpen = urlProtocol != nil
    if let urlProtocol {
      sessions?.didStop()
      sessions?.loadDidEnd(urlProtocol)
    }
    urlProtocol = nil
    if isOpen, let binding, let exchange { binding.engine.cancel(exchange) }
    exchange = nil
  }

  // MARK: Output

  func exchangeHasOutput(_ exchange: Int) {
    let inbox = inbox.withLock { inbox in
      inbox.hasOutput = true
      return inbox
    }
    if inbox.isStarting { return }
    if sessions != nil || inbox.mayFetch { return performInTurn { $0.drainLater() } }
    context?.perform(at: DispatchTime(uptimeNanoseconds: inbox.notBefore)) { self.drainLater() }
  }

  private func drainLater() {
    guard inbox.withLock({ $0.hasOutput }) else { return }
    guard let urlProtocol, !ClientContext.isCancelled(urlProtocol) else { return }
    drain()
  }

  private var sessions: SimulatedSessions? { binding?.sessions }

  /// Fetches the output that came during `start`.
  ///
  /// The context is looked up only here, because that costs more than an answer.
  private func finishStart() {
    guard urlProtocol != nil else { return }
    drainIfTold()
    guard let urlProtocol else { return }
    context = context ?? ClientContext(of: urlProtocol)
    if context == nil { return abandon(with: FoundationLimits.noContext(urlProtocol.request.url)) }
    inbox.withLock { $0.isStarting = false }
    drainIfTold()
  }

  private func drainIfTold() {
    if inbox.withLock({ $0.hasOutput }) { drain() }
  }

  private func perform(_ work: @escaping @Sendable (ProtocolLoader) -> Void) {
    context?.perform { work(self) }
  }

  /// Works in the client's context, while the thread of a simulation waits.
  private func performInTurn(_ work: @escaping @Sendable (ProtocolLoader) -> Void) {
    guard let binding, let sessions else { return perform(work) }
    binding.engine.timeSource.perform { sessions.perform(in: self.context) { work(self) } }
  }

  private func drain() {
    inbox.withLock { $0.hasOutput = false }
    guard let binding, let exchange, urlProtocol != nil else { return }
    give(binding.engine.take(exchange))
  }

  private func give(_ output: ExchangeOutput) {
    guard binding != nil, let urlProtocol else { return }
    progress.take(output)
    let uploader = (output.uploaded?.sent ?? 0) > 0 ? callDelegate : nil
    ClientContext.report(progress, output.uploaded, of: urlProtocol, to: uploader)
    if let (head, url) = output.response {
      if let refusal = FoundationLimits.refusal(of: head, from: url) { return abandon(with: refusal) }
      urlProtocol.client?.urlProtocol(
        urlProtocol, didReceive: ResponseCache.process.response(head, for: url), cacheStoragePolicy: .notAllowed)
    }
    deliver(output, to: urlProtocol)
    if context != nil, sessions == nil {
      let isLarge = output.body.reduce(0) { $0 + $1.count } >= Self.largeHelping
      inbox.withLock { $0.notBefore = isLarge ? DispatchTime.uptime + Self.pause : 0 }
    }
    switch output.end {
    case nil: break
    case .finished: end(with: nil)
    case .failed(let error): end(with: error)
    case .redirected(let request, let begun, let head, let url):
      self.begun = begun
      redirect(to: request, because: head.response(for: url))
    }
  }

  private func deliver(_ output: ExchangeOutput, to urlProtocol: URLProtocol) {
    guard !output.body.isEmpty || output.end != nil else { return }
    let mustGather = gathers(isWhole: output.end != nil && gathered.isEmpty && output.body.count < 2, urlProtocol)
    if mustGather {
      if gathered.isEmpty, let expected = output.expected, expected < 1 << 30 {
        gathered.reserveCapacity(Int(expected))
      }
      for piece in output.body { gathered.append(piece) }
    } else {
      for piece in output.body {
        // Foundation never delivers slices of `Data`, and clients count from 0.
        urlProtocol.client?.urlProtocol(urlProtocol, didLoad: piece.startIndex == 0 ? piece : Data(piece))
      }
    }
    if output.end != nil, !gathered.isEmpty {
      urlProtocol.client?.urlProtocol(urlProtocol, didLoad: gathered)
      gathered = Data()
    }
  }

  /// Whether to gather the body, because the client takes only one piece; looked up only if the body has several.
  private func gathers(isWhole: Bool, _ urlProtocol: URLProtocol) -> Bool {
    if let isGathering { return isGathering }
    if isWhole { return false }
    let answer = ClientContext.takesOnePiece(urlProtocol)
    isGathering = answer
    return answer
  }

  // MARK: The end

  private func end(with error: URLError?) {
    guard let urlProtocol else { return }
    forget()
    if let error {
      urlProtocol.client?.urlProtocol(urlProtocol, didFailWithError: error.forClient)
    } else {
      urlProtocol.client?.urlProtocolDidFinishLoading(urlProtocol)
    }
  }

  private func abandon(with error: URLError) {
    if let binding, let exchange { binding.engine.cancel(exchange) }
    end(with: error)
  }

  /// Hands a redirect to the client, whose delegate or URL loading system decides about it.
  ///
  /// A client that refuses the redirect gets it as its answer, without a body. Only this protocol can end that task,
  /// which otherwise hangs (OHHTTPStubs 174). So it ends at once, before the system's next protocol can begin.
  private func redirect(to request: URLRequest, because response: URLResponse) {
    guard let urlProtocol else { return }
    exchange = nil
    context = context ?? ClientContext(of: urlProtocol)
    let isAsked = ClientContext.askDelegate(of: urlProtocol, whether: request, because: response) {
      [weak self] choice in
      self?.performInTurn { $0.follow(choice, insteadOf: request, because: response) }
    }
    if isAsked { return }
    forget()
    var request = request
    ClientContext.prepareRedirect(&request, begun: begun)
    urlProtocol.client?.urlProtocol(urlProtocol, wasRedirectedTo: request, redirectResponse: response)
    urlProtocol.client?.urlProtocol(urlProtocol, didReceive: response, cacheStoragePolicy: .notAllowed)
    urlProtocol.client?.urlProtocolDidFinishLoading(urlProtocol)
  }

  /// Follows a redirect with the request that the delegate chose; without one the redirect is the answer.
  private func follow(_ choice: URLRequest?, insteadOf proposed: URLRequest, because response: URLResponse) {
    // A delegate may decide twice, or after a cancellation.
    guard let urlProtocol, exchange == nil, !ClientContext.isCancelled(urlProtocol) else { return }
    guard var next = choice else {
      urlProtocol.client?.urlProtocol(urlProtocol, didReceive: response, cacheStoragePolicy: .notAllowed)
      return end(with: nil)
    }
    if let refusal = URLError.refusal(of: next.url) { return end(with: refusal) }
    // These cookies were chosen for the proposed URL.
    let cookies = next.value(forHTTPHeaderField: "Cookie")
    if next.url != proposed.url, cookies == proposed.value(forHTTPHeaderField: "Cookie") {
      next.setValue(nil, forHTTPHeaderField: "Cookie")
    }
    redirects += 1
    load(next, from: .find(in: next), sendsCookies: true)
    drainIfTold()
  }

  private func forget() {
    if let urlProtocol { sessions?.loadDidEnd(urlProtocol) }
    urlProtocol = nil
    exchange = nil
    gathered = Data()
  }

  private func read(_ stream: InputStream?, for engine: NetworkEngine) {
    guard let exchange else { return }
    UploadReader(stream: stream, engine: engine, exchange: exchange).start()
  }

  private static let noNetwork =
    "The simulated network of this session was invalidated; make a new network and a new session."
}

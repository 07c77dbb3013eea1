// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, BeginDocumentationCommentWithOneLineSummary

import Internals
import Testing
import struct Synchronization.Atomic

/// A protocol class: immutable, although `AnyClass` is not `Sendable`.
struct Registered: @unchecked Sendable {
  let protocolClass: AnyClass
  init(_ protocolClass: AnyClass) { self.protocolClass = protocolClass }
}

/// Records breaches of the URL loading system's contract by protocols as issues of the tests.
enum LoadingContract {
  static func note(_ breach: String, of task: URLSessionTask) {
    Issue.record("\(breach): \(task.currentRequest?.url?.absoluteString ?? "") of \(task.test ?? "an unknown test")")
  }
}

/// The threads on which protocols run.
///
/// Source: Apple's CustomHTTPProtocol, "Read Me About CustomHTTPProtocol". The system starts and stops a protocol on
/// one of its threads, which runs a run loop. The protocol calls its client only on that thread, in the default mode or
/// in a mode that the run loop was in at the start. Here one thread runs its loop in the default mode and another in a
/// private mode; loads alternate between them.
enum LoadingSystem {
  static let registered = Mutex<[Registered]>([])
  private static let threads = [SystemThread(mode: "default"), SystemThread(mode: "private")]
  private static let next = Atomic(0)

  static func thread() -> SystemThread {
    threads[next.wrappingAdd(1, ordering: .relaxed).newValue % threads.count]
  }
}

/// A thread with a run loop that runs in one mode.
final class SystemThread: Sendable {
  private struct Loop: @unchecked Sendable {
    var loop: CFRunLoop?
    var thread: Thread?
    var messages = 0
  }
  /// A message, and the run loop source that delivers it.
  private final class Message {
    let work: @Sendable () -> Void
    var source: CFRunLoopSource?
    init(_ work: @escaping @Sendable () -> Void) { self.work = work }
  }
  private let loop = Mutex(Loop())
  private let modeName: String

  /// Swift on Linux does not bridge strings to Core Foundation; modes are equal if their texts are.
  private var mode: CFRunLoopMode {
    modeName == "default"
      ? .defaultMode : CFRunLoopMode(rawValue: unsafeBitCast(NSString(string: modeName), to: CFString.self))
  }

  init(mode: String) {
    modeName = mode
    let hasStarted = DispatchSemaphore(value: 0)
    let thread = Thread { [self] in
      let current = CFRunLoopGetCurrent()
      loop.withLock { $0.loop = current }
      // A run loop without any source returns at once.
      CFRunLoopAddTimer(current, CFRunLoopTimerCreateWithHandler(nil, 1e12, 1e12, 0, 0) { _ in }, self.mode.rawValue)
      hasStarted.signal()
      while true { _ = CFRunLoopRunInMode(self.mode.rawValue, 1e9, true) }
    }
    thread.name = "com.apple.CFNetwork.CustomProtocols"
    loop.withLock { $0.thread = thread }
    thread.start()
    hasStarted.wait()
  }

  var isCurrent: Bool { loop.withLock { $0.thread === Thread.current } }

  func perform(_ work: @escaping @Sendable () -> Void) {
    loop.withLock { loop in
      if Unkindness.sources.isOn {
        loop.messages += 1
        let source = Self.source(loop.messages, work)
        CFRunLoopAddSource(loop.loop, source, mode.rawValue)
        CFRunLoopSourceSignal(source)
      } else {
        CFRunLoopPerformBlock(loop.loop, mode.rawValue, work)
      }
      CFRunLoopWakeUp(loop.loop)
    }
  }

  /// A source for one message; sources with smaller numbers run first.
  private static func source(_ number: Int, _ work: @escaping @Sendable () -> Void) -> CFRunLoopSource? {
    let message = Message(work)
    var context = CFRunLoopSourceContext()
    context.info = Unmanaged.passRetained(message).toOpaque()
    context.perform = { info in
      guard let info else { return }
      let message = Unmanaged<Message>.fromOpaque(info).takeRetainedValue()
      CFRunLoopSourceInvalidate(message.source)
      message.work()
    }
    message.source = CFRunLoopSourceCreate(nil, number, &context)
    return message.source
  }
}

/// One protocol that works for a task, and the client that it calls. It is started, stopped and ended once.
final class Load: NSObject, URLProtocolClient, @unchecked Sendable {
  private enum Stage { case fresh, started, stopped }

  /// Longer than any load of a test, in seconds.
  private static let patience = 300.0

  private let task: URLSessionTask
  private let thread: SystemThread
  private let protocolClass: URLProtocol.Type
  // All of these are used only on the protocol's thread.
  private var urlProtocol: URLProtocol?
  private var stage = Stage.fresh
  private var hasResponse = false
  private var hasEnded = false
  private var stored: (response: URLResponse, policy: URLCache.StoragePolicy, data: Data)?
  /// The protocol's calls after a redirect, kept until the client decides whether to follow it.
  private var kept: [@Sendable () -> Void]?

  init(_ task: URLSessionTask, _ protocolClass: URLProtocol.Type) {
    self.task = task
    self.protocolClass = protocolClass
    thread = LoadingSystem.thread()
  }

  func start() {
    thread.perform { [self] in
      guard stage == .fresh else { return }
      stage = .started
      let cached = task.currentRequest.flatMap { task.session.configuration.urlCache?.cachedResponse(for: $0) }
      let made = protocolClass.init(task: task, cachedResponse: cached, client: self)
      urlProtocol = made
      made.startLoading()
    }
    // Fails a load that never ends, so that its test does not wait for ever.
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { [weak self] in
      self?.thread.perform { [weak self] in
        guard let self, stage == .started, !hasEnded else { return }
        LoadingContract.note("no end within \(Self.patience) s", of: task)
        task.loadDidEnd(URLError(.timedOut))
      }
    }
  }

  /// Stops the protocol if it was started, and then calls `then`.
  func stop(_ then: @escaping @Sendable () -> Void = {}) {
    thread.perform { [self] in
      let wasStarted = stage == .started
      stage = .stopped
      if wasStarted { urlProtocol?.stopLoading() }
      urlProtocol = nil
      then()
    }
  }

  private func check(_ call: String, _ urlProtocol: URLProtocol, ends: Bool = false) -> Bool {
    func note(_ what: String) { LoadingContract.note("\(call): \(what)", of: task) }
    guard thread.isCurrent else {
      note("called on another thread")
      task.loadDidEnd(URLError(.unknown))
      return false
    }
    if urlProtocol !== self.urlProtocol { note("called for a protocol that is not at work") }
    if stage != .started { note("called after stopLoading()") }
    if hasEnded { note("called after the end") }
    defer { if ends { hasEnded = true } }
    return stage == .started && !hasEnded
  }

  private func end(_ error: (any Error)?) {
    if error == nil, let stored, stored.policy != .notAllowed, let request = task.currentRequest {
      task.session.configuration.urlCache?.storeCachedResponse(
        CachedURLResponse(response: stored.response, data: stored.data), for: request)
    }
    // The system also stops a protocol that has ended.
    stop { [task] in task.loadDidEnd(error) }
  }

  func urlProtocol(_ urlProtocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse) {
    guard check("wasRedirectedTo", urlProtocol) else { return }
    kept = []
    task.wasRedirected(to: request, redirectResponse, by: self)
  }

  /// The client refuses the redirect: the kept calls give the answer. If they have no end, the task hangs
  /// (<https://github.com/AliSoftware/OHHTTPStubs/issues/174>).
  func refuseRedirect() {
    thread.perform { [self] in
      let work = kept ?? []
      kept = nil
      for work in work { work() }
    }
  }

  private func pass(_ work: @escaping @Sendable () -> Void) {
    if kept == nil { work() } else { kept?.append(work) }
  }

  func urlProtocol(_ urlProtocol: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse) {
    _ = check("cachedResponseIsValid", urlProtocol)
  }

  func urlProtocol(
    _ urlProtocol: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
  ) {
    guard check("didReceive response", urlProtocol) else { return }
    if hasResponse { LoadingContract.note("didReceive response: called twice", of: task) }
    hasResponse = true
    stored = (response, policy, Data())
    pass { [task] in task.didReceive(response) }
  }

  func urlProtocol(_ urlProtocol: URLProtocol, didLoad data: Data) {
    guard check("didLoad", urlProtocol) else { return }
    if !hasResponse { LoadingContract.note("didLoad: called before the response", of: task) }
    if data.isEmpty { LoadingContract.note("didLoad: called without data", of: task) }
    stored?.data.append(data)
    pass { [task] in task.didReceive(data) }
  }

  func urlProtocolDidFinishLoading(_ urlProtocol: URLProtocol) {
    guard check("didFinishLoading", urlProtocol, ends: true) else { return }
    if !hasResponse { LoadingContract.note("didFinishLoading: called before the response", of: task) }
    pass { [self] in end(nil) }
  }

  func urlProtocol(_ urlProtocol: URLProtocol, didFailWithError error: any Error) {
    guard check("didFailWithError", urlProtocol, ends: true) else { return }
    pass { [self] in end(error) }
  }

  func urlProtocol(_ urlProtocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {
    guard check("didReceive challenge", urlProtocol) else { return }
    task.didReceive(challenge)
  }

  func urlProtocol(_ urlProtocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {
    _ = check("didCancel challenge", urlProtocol)
  }
}

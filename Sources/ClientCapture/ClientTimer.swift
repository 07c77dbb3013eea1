#if os(Linux)
  import Internals
  import Interposition

  /// A timer dispatch source of one simulation.
  ///
  /// The real source is never armed: it serves as an identity and shows whether it was cancelled.
  final class ClientTimer {
    private let pointer: UnsafeMutableRawPointer
    private unowned let scheduler: ClientScheduler
    var queue: ClientQueue
    var handler: Handler?
    var cancelHandler: Handler?
    private var start: Int64?
    private var interval: Int64?
    private var isInactive = true
    private var suspensions = 0
    private var call: TimerTicket?
    /// Whether the timer has fired since its handler last began; several firings lead to one call of the handler.
    private var isLate = false
    private var isInLine = false
    private(set) var isCancelled = false
    func instant(ofDispatch when: UInt64) -> Int64? { scheduler.instant(ofDispatch: when) }

    /// A retained block, or a function.
    enum Handler {
      case block(UnsafeMutableRawPointer)
      case function(@convention(c) (UnsafeMutableRawPointer?) -> Void)

      init?(_ block: UnsafeMutableRawPointer?) {
        guard let block, let copy = interposition_block_copy(block) else { return nil }
        self = .block(copy)
      }

      func release() {
        if case .block(let block) = self { interposition_block_release(block) }
      }
    }

    init(_ pointer: UnsafeMutableRawPointer, in scheduler: ClientScheduler, queue: UnsafeMutableRawPointer?) {
      self.pointer = pointer
      self.scheduler = scheduler
      self.queue = scheduler.queue(queue ?? ClientTime.defaultQueue)
    }

    /// Sets when the timer fires: at `start`, `nil` for never, and then at each interval.
    func set(start: Int64?, interval: UInt64) {
      self.start = start
      // A network's time ends at half of the largest number of nanoseconds.
      self.interval = interval == 0 || interval > UInt64(Int64.max / 2) ? nil : Int64(interval)
      isLate = false
      arm()
    }

    private func arm() {
      if let call { scheduler.cancel(call) }
      call = nil
      guard let start, !isCancelled else { return }
      call = scheduler.call(at: start) { [self] in fire() }
    }

    private func fire() {
      call = nil
      // Releasing a source cancels it.
      if !DispatchObject.hasOwner(pointer) { return cancel() }
      if let interval, let start {
        self.start = start + interval
        arm()
      } else {
        start = nil
      }
      isLate = true
      deliver()
    }

    private func deliver() {
      guard isDue, !isInLine else { return }
      isInLine = true
      scheduler.add(
        ClientQueue.Item(
          work: .closure { [self] in
            let runs = RealTime.run {
              isInLine = false
              let runs = isDue
              if runs { isLate = false }
              return runs
            }
            if runs { run(handler) }
            RealTime.run(deliver)
          }), to: queue)
    }

    private var isDue: Bool { isLate && !isInactive && suspensions == 0 && !isCancelled }

    private func run(_ handler: Handler?) {
      switch handler {
      case .block(let block):
        // The handler may replace itself while it runs.
        let held = interposition_block_copy(block)
        interposition_block_call(block)
        if let held { interposition_block_release(held) }
      case .function(let work): work(ClientTime.context(of: pointer))
      case nil: break
      }
    }

    func suspend() { suspensions += 1 }

    /// Takes back one suspension, or activates a timer that is not suspended.
    func resume() {
      if suspensions > 0 { suspensions -= 1 } else { isInactive = false }
      deliver()
    }

    func activate() {
      isInactive = false
      deliver()
    }

    func cancel() {
      guard !isCancelled else { return }
      isCancelled = true
      arm()
      let handlers = (handler, cancelHandler)
      let pointer = pointer
      let scheduler = scheduler
      scheduler.add(
        ClientQueue.Item(
          work: .closure { [self] in
            run(handlers.1)
            handlers.0?.release()
            handlers.1?.release()
            RealTime.run {
              (handler, cancelHandler) = (nil, nil)
              if scheduler.later.sources.removeValue(forKey: pointer) != nil { DispatchObject.release(pointer) }
            }
          }), to: queue)
    }

    /// Stops the timer for good, without calling its cancel handler.
    func die() {
      start = nil
      arm()
    }

    /// Returns the source and its handlers to libdispatch for cancellation; the timer does not fire again.
    func giveBack(_ source: UnsafeMutableRawPointer) {
      switch handler {
      case .block(let block): interposition_real.dispatch_source_set_event_handler(source, block)
      case .function(let work): interposition_real.dispatch_source_set_event_handler_f(source, work)
      case nil: break
      }
      if case .block(let block) = cancelHandler { interposition_real.dispatch_source_set_cancel_handler(source, block) }
      handler?.release()
      cancelHandler?.release()
      DispatchObject.release(source)
    }
  }
#endif

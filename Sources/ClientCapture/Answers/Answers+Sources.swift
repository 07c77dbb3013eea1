#if os(Linux)
  import Glibc
  import Interposition

  extension Answers {
    nonisolated(unsafe) private static let timerType = dlsym(nil, "_dispatch_source_type_timer").map {
      UnsafeRawPointer($0)
    }

    static func addSources(to answers: inout interposition_functions) {
      answers.dispatch_source_create = { type, handle, mask, queue in
        let source = interposition_real.dispatch_source_create(type, handle, mask, queue)
        guard let thread = ClientThread.current, let source else { return source }
        thread.atWork { scheduler in
          guard type == Answers.timerType else { return scheduler.refuse("A dispatch source other than a timer") }
          DispatchObject.retain(source)
          scheduler.later.sources[source] = ClientTimer(source, in: scheduler, queue: queue)
        }
        return source
      }
      answers.dispatch_source_set_event_handler = { source, block in
        let isTaken = Answers.with(source) { timer in
          timer.handler?.release()
          timer.handler = ClientTimer.Handler(block)
        }
        if !isTaken { interposition_real.dispatch_source_set_event_handler(source, block) }
      }
      answers.dispatch_source_set_event_handler_f = { source, work in
        let isTaken = Answers.with(source) { timer in
          timer.handler?.release()
          timer.handler = work.map { .function($0) }
        }
        if !isTaken { interposition_real.dispatch_source_set_event_handler_f(source, work) }
      }
      answers.dispatch_source_set_cancel_handler = { source, block in
        let isTaken = Answers.with(source) { timer in
          timer.cancelHandler?.release()
          timer.cancelHandler = ClientTimer.Handler(block)
        }
        if !isTaken { interposition_real.dispatch_source_set_cancel_handler(source, block) }
      }
      answers.dispatch_source_set_timer = { source, start, interval, leeway in
        let isTaken = Answers.with(source) { timer in
          timer.set(start: timer.instant(ofDispatch: start), interval: interval)
        }
        if !isTaken { interposition_real.dispatch_source_set_timer(source, start, interval, leeway) }
      }
      answers.dispatch_source_cancel = { source in
        interposition_real.dispatch_source_cancel(source)
        Answers.with(source) { $0.cancel() }
      }
      answers.dispatch_activate = { object in
        interposition_real.dispatch_activate(object)
        // The activated queue may now be enqueued.
        if !Answers.with(object, { $0.activate() }) { _ = Answers.suspend(object, by: 0) }
      }
      answers.dispatch_resume = { object in
        if Answers.with(object, { $0.resume() }) { return interposition_real.dispatch_resume(object) }
        if !Answers.suspend(object, by: -1) { interposition_real.dispatch_resume(object) }
      }
      answers.dispatch_suspend = { object in
        if Answers.with(object, { $0.suspend() }) { return interposition_real.dispatch_suspend(object) }
        if !Answers.suspend(object, by: 1) { interposition_real.dispatch_suspend(object) }
      }
    }

    /// Runs `body` with the simulation's timer for a source; returns `false` if the source is not such a timer.
    @discardableResult
    private static func with(_ source: UnsafeMutableRawPointer?, _ body: (ClientTimer) -> Void) -> Bool {
      guard let thread = ClientThread.current, let source else { return false }
      return thread.atWork { scheduler in
        guard let timer = scheduler.later.sources[source] else { return false }
        body(timer)
        return true
      }
    }

    /// Changes a queue's suspension count; returns `false` for a queue unknown to the simulation.
    private static func suspend(_ object: UnsafeMutableRawPointer?, by count: Int) -> Bool {
      guard let thread = ClientThread.current, let object else { return false }
      return thread.atWork { scheduler in
        guard QueueShape.known.isQueue(object) else { return false }
        let queue = scheduler.queue(object)
        // The caller must resume the real queue if it was suspended before the simulation.
        if queue.suspensions + count < 0 { return false }
        queue.suspensions += count
        scheduler.line(up: queue)
        return true
      }
    }
  }
#endif

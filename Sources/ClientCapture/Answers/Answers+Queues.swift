#if os(Linux)
  import Interposition

  extension Answers {
    static func addQueues(to answers: inout interposition_functions) {
      answers.dispatch_async = { queue, block in
        if !Answers.add(block, to: queue) { interposition_real.dispatch_async(queue, block) }
      }
      answers.dispatch_async_f = { queue, context, work in
        if !Answers.add(work, context, to: queue) { interposition_real.dispatch_async_f(queue, context, work) }
      }
      answers.dispatch_barrier_async = { queue, block in
        if !Answers.add(block, to: queue, isBarrier: true) { interposition_real.dispatch_barrier_async(queue, block) }
      }
      answers.dispatch_barrier_async_f = { queue, context, work in
        if !Answers.add(work, context, to: queue, isBarrier: true) {
          interposition_real.dispatch_barrier_async_f(queue, context, work)
        }
      }
      answers.dispatch_after = { when, queue, block in
        if !Answers.add(block, to: queue, at: when) { interposition_real.dispatch_after(when, queue, block) }
      }
      answers.dispatch_after_f = { when, queue, context, work in
        if !Answers.add(work, context, to: queue, at: when) {
          interposition_real.dispatch_after_f(when, queue, context, work)
        }
      }
    }

    static func addSync(to answers: inout interposition_functions) {
      answers.dispatch_sync = { queue, block in
        if !Answers.sync(queue, block) { interposition_real.dispatch_sync(queue, block) }
      }
      answers.dispatch_async_and_wait = { queue, block in
        if !Answers.sync(queue, block) { interposition_real.dispatch_async_and_wait(queue, block) }
      }
      answers.dispatch_barrier_sync = { queue, block in
        if !Answers.sync(queue, block, isBarrier: true) { interposition_real.dispatch_barrier_sync(queue, block) }
      }
      answers.dispatch_barrier_async_and_wait = { queue, block in
        if !Answers.sync(queue, block, isBarrier: true) {
          interposition_real.dispatch_barrier_async_and_wait(queue, block)
        }
      }
      answers.dispatch_sync_f = { queue, context, work in
        if !Answers.sync(queue, work, context) { interposition_real.dispatch_sync_f(queue, context, work) }
      }
      answers.dispatch_barrier_sync_f = { queue, context, work in
        if !Answers.sync(queue, work, context, isBarrier: true) {
          interposition_real.dispatch_barrier_sync_f(queue, context, work)
        }
      }
      answers.dispatch_apply = { count, queue, block in
        guard let thread = ClientThread.current, let block else {
          return interposition_real.dispatch_apply(count, queue, block)
        }
        // All at once, as where there are processors enough.
        thread.atWork { scheduler in
          var left = count
          for index in 0..<count {
            let work = ClientQueue.Item.Work.closure {
              interposition_block_call_at(block, index)
              left -= 1
            }
            scheduler.add(ClientQueue.Item(work: work), to: queue ?? ClientTime.defaultQueue)
          }
          _ = scheduler.wait("concurrentPerform") { left == 0 }
        }
      }
    }

    /// Which queue a thread is on, and on which others a queue's work runs.
    static func addQueuePlaces(to answers: inout interposition_functions) {
      answers.dispatch_set_target_queue = { object, queue in
        interposition_real.dispatch_set_target_queue(object, queue)
        guard let thread = ClientThread.current, let object, let queue else { return }
        thread.atWork { scheduler in
          if let timer = scheduler.later.sources[object] {
            timer.queue = scheduler.queue(queue)
          } else {
            scheduler.queue(object).target = scheduler.queue(queue)
          }
        }
      }
      answers.dispatch_assert_queue = { queue in
        if !Answers.isOn(queue) { interposition_real.dispatch_assert_queue(queue) }
      }
      answers.dispatch_assert_queue_barrier = { queue in
        if !Answers.isOn(queue) { interposition_real.dispatch_assert_queue_barrier(queue) }
      }
      answers.dispatch_assert_queue_not = { queue in
        precondition(!Answers.isOn(queue), "This was expected not to run on the queue that it runs on.")
        if ClientThread.current == nil || queue != QueueShape.main {
          interposition_real.dispatch_assert_queue_not(queue)
        }
      }
      answers.dispatch_get_specific = { key in
        guard let thread = ClientThread.current, let key, let queue = thread.queues.last else {
          return interposition_real.dispatch_get_specific(key)
        }
        return queue.specific(key)
      }
      answers.dispatch_queue_get_label = { queue in
        guard queue == nil, let current = ClientThread.current?.queues.last else {
          return interposition_real.dispatch_queue_get_label(queue)
        }
        return interposition_real.dispatch_queue_get_label(current.pointer)
      }
    }

    /// The calls by which a simulation ends, for they work in real time.
    static func addRefusedQueues(to answers: inout interposition_functions) {
      answers.dispatch_main = {
        ClientThread.current?.atWork { $0.refuse("dispatchMain()") }
        interposition_real.dispatch_main()
      }
      answers.dispatch_io_create = { type, descriptor, queue, cleanup in
        ClientThread.current?.atWork { $0.refuse("DispatchIO") }
        return interposition_real.dispatch_io_create(type, descriptor, queue, cleanup)
      }
      answers.dispatch_io_create_with_path = { type, path, flags, mode, queue, cleanup in
        ClientThread.current?.atWork { $0.refuse("DispatchIO") }
        return interposition_real.dispatch_io_create_with_path(type, path, flags, mode, queue, cleanup)
      }
      answers.dispatch_read = { descriptor, length, queue, handler in
        ClientThread.current?.atWork { $0.refuse("DispatchIO.read") }
        interposition_real.dispatch_read(descriptor, length, queue, handler)
      }
      answers.dispatch_write = { descriptor, data, queue, handler in
        ClientThread.current?.atWork { $0.refuse("DispatchIO.write") }
        interposition_real.dispatch_write(descriptor, data, queue, handler)
      }
    }

    /// Adds a block to a queue, at a time as libdispatch encodes it; `false` outside of simulations.
    private static func add(
      _ block: UnsafeMutableRawPointer?, to queue: UnsafeMutableRawPointer?, isBarrier: Bool = false,
      at when: UInt64? = nil
    ) -> Bool {
      guard let thread = ClientThread.current, let queue, let block else { return false }
      thread.atWork { $0.add(item(block, isBarrier: isBarrier), to: queue, at: when) }
      return true
    }

    /// Adds a call of a function to a queue; `false` outside of simulations.
    private static func add(
      _ work: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?, _ context: UnsafeMutableRawPointer?,
      to queue: UnsafeMutableRawPointer?, isBarrier: Bool = false, at when: UInt64? = nil
    ) -> Bool {
      guard let thread = ClientThread.current, let queue, let work else { return false }
      thread.atWork {
        $0.add(ClientQueue.Item(work: .function(work, context), isBarrier: isBarrier), to: queue, at: when)
      }
      return true
    }

    static func item(_ block: UnsafeMutableRawPointer, isBarrier: Bool = false) -> ClientQueue.Item {
      guard let copy = interposition_block_copy(block) else { preconditionFailure("there is no memory for a block") }
      return ClientQueue.Item(work: .block(copy), isBarrier: isBarrier || WorkItemShape.isBarrier(copy))
    }

    private static func sync(
      _ queue: UnsafeMutableRawPointer?, _ block: UnsafeMutableRawPointer?, isBarrier: Bool = false
    ) -> Bool {
      guard let thread = ClientThread.current, let queue, let block else { return false }
      let isBarrier = isBarrier || WorkItemShape.isBarrier(block)
      return thread.atWork { $0.sync(queue, isBarrier: isBarrier) { interposition_block_call(block) } }
    }

    private static func sync(
      _ queue: UnsafeMutableRawPointer?, _ work: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?,
      _ context: UnsafeMutableRawPointer?, isBarrier: Bool = false
    ) -> Bool {
      guard let thread = ClientThread.current, let queue, let work else { return false }
      return thread.atWork { $0.sync(queue, isBarrier: isBarrier) { work(context) } }
    }

    /// Whether the caller is on a client's thread that does the work of a queue.
    private static func isOn(_ queue: UnsafeMutableRawPointer?) -> Bool {
      guard let queue else { return false }
      return ClientThread.current?.isOn(queue) == true
    }
  }
#endif

#if os(Linux)
  import Interposition

  extension Answers {
    static func addQueues(to answers: inout interposition_functions) {
      answers.dispatch_queue_create = { Answers.made(interposition_real.dispatch_queue_create($0, $1)) }
      answers.dispatch_queue_create_with_target = {
        Answers.made(interposition_real.dispatch_queue_create_with_target($0, $1, $2))
      }
      answers.dispatch_async = { Answers.add($1, to: $0, interposition_real.dispatch_async) }
      answers.dispatch_async_f = { Answers.add($2, $1, to: $0, interposition_real.dispatch_async_f) }
      answers.dispatch_barrier_async = {
        Answers.add($1, to: $0, isBarrier: true, interposition_real.dispatch_barrier_async)
      }
      answers.dispatch_barrier_async_f = {
        Answers.add($2, $1, to: $0, isBarrier: true, interposition_real.dispatch_barrier_async_f)
      }
      answers.dispatch_after = { when, queue, block in
        Answers.add(block, to: queue, at: when) { interposition_real.dispatch_after(when, $0, $1) }
      }
      answers.dispatch_after_f = { when, queue, context, work in
        Answers.add(work, context, to: queue, at: when) { interposition_real.dispatch_after_f(when, $0, $1, $2) }
      }
    }

    private static func made(_ queue: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
      if let queue { ClientThread.current?.atWork { $0.made(queue) } }
      return queue
    }

    static func addSync(to answers: inout interposition_functions) {
      answers.dispatch_sync = { Answers.sync($0, $1, interposition_real.dispatch_sync) }
      answers.dispatch_async_and_wait = { Answers.sync($0, $1, interposition_real.dispatch_async_and_wait) }
      answers.dispatch_barrier_sync = {
        Answers.sync($0, $1, isBarrier: true, interposition_real.dispatch_barrier_sync)
      }
      answers.dispatch_barrier_async_and_wait = {
        Answers.sync($0, $1, isBarrier: true, interposition_real.dispatch_barrier_async_and_wait)
      }
      answers.dispatch_sync_f = { Answers.sync($0, $2, $1, interposition_real.dispatch_sync_f) }
      answers.dispatch_barrier_sync_f = {
        Answers.sync($0, $2, $1, isBarrier: true, interposition_real.dispatch_barrier_sync_f)
      }
      answers.dispatch_apply = { count, queue, block in
        guard let thread = ClientThread.current, let block else {
          return interposition_real.dispatch_apply(count, queue, block)
        }
        // All calls at the same time, as on a machine with enough processors.
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

    /// Answers the calls that ask for a thread's queue, or change the queue on which work runs.
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

    /// Refuses calls that end the simulation with an error, because they work in real time.
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

    private typealias Pointer = UnsafeMutableRawPointer
    private typealias Function = @convention(c) (Pointer?) -> Void

    static func item(_ block: UnsafeMutableRawPointer, isBarrier: Bool = false) -> ClientQueue.Item {
      guard let copy = interposition_block_copy(block) else { preconditionFailure("there is no memory for a block") }
      return ClientQueue.Item(work: .block(copy), isBarrier: isBarrier || WorkItemShape.isBarrier(copy))
    }

    /// Adds a block to a queue, at a time in libdispatch's encoding; outside of simulations calls `real`.
    private static func add(
      _ block: Pointer?, to queue: Pointer?, isBarrier: Bool = false, at when: UInt64? = nil,
      _ real: (Pointer?, Pointer?) -> Void
    ) {
      guard let thread = ClientThread.current, let queue, let block else { return real(queue, block) }
      thread.atWork { $0.add(item(block, isBarrier: isBarrier), to: queue, at: when) }
    }

    /// Adds a C function call to a queue, now or at a time in libdispatch's encoding; outside of simulations calls
    /// `real`.
    private static func add(
      _ work: Function?, _ context: Pointer?, to queue: Pointer?, isBarrier: Bool = false, at when: UInt64? = nil,
      _ real: (Pointer?, Pointer?, Function?) -> Void
    ) {
      guard let thread = ClientThread.current, let queue, let work else { return real(queue, context, work) }
      let item = ClientQueue.Item(work: .function(work, context), isBarrier: isBarrier)
      thread.atWork { $0.add(item, to: queue, at: when) }
    }

    private static func sync(
      _ queue: Pointer?, _ block: Pointer?, isBarrier: Bool = false, _ real: (Pointer?, Pointer?) -> Void
    ) {
      let isBarrier = isBarrier || block.map(WorkItemShape.isBarrier) == true
      sync(queue, isBarrier, block.map { block in { interposition_block_call(block) } }) { real(queue, block) }
    }

    private static func sync(
      _ queue: Pointer?, _ work: Function?, _ context: Pointer?, isBarrier: Bool = false,
      _ real: (Pointer?, Pointer?, Function?) -> Void
    ) {
      sync(queue, isBarrier, work.map { work in { work(context) } }) { real(queue, context, work) }
    }

    /// Runs work on the calling thread when the queue's turn comes; calls `real` outside of simulations or after the
    /// end.
    private static func sync(_ queue: Pointer?, _ isBarrier: Bool, _ work: (() -> Void)?, _ real: () -> Void) {
      guard let thread = ClientThread.current, let queue, let work,
        thread.atWork({ $0.sync(queue, isBarrier: isBarrier, work) })
      else { return real() }
    }

    /// Whether the caller is on a client's thread that runs work of this queue.
    private static func isOn(_ queue: UnsafeMutableRawPointer?) -> Bool {
      guard let queue else { return false }
      return ClientThread.current?.isOn(queue) == true
    }
  }
#endif

#if os(Linux)
  import Foundation
  import Interposition
  import Internals
  import struct Synchronization.Atomic

  extension ClientScheduler {
    func queue(_ pointer: UnsafeMutableRawPointer) -> ClientQueue {
      if let queue = queues[pointer] { return queue }
      let target = pointer == QueueShape.main ? nil : QueueShape.known.target(of: pointer)
      var queue = ClientQueue(
        pointer, target: target.map { self.queue($0) }, isOwn: ownQueues.contains(pointer))
      // Root queues are merged: they differ in priority, which changes with waits outside of the simulation.
      if queue.isRoot {
        queue = root ?? queue
        root = queue
      }
      if let label = queue.sessionLabel { queue.isOurs = ownLabels.contains(label) }
      queues[pointer] = queue
      return queue
    }

    /// Adds an item, now or at a time in libdispatch's encoding.
    func add(_ item: ClientQueue.Item, to pointer: UnsafeMutableRawPointer, at when: UInt64? = nil) {
      let queue = queue(pointer)
      guard let when else { return add(item, to: queue) }
      guard let instant = instant(ofDispatch: when) else { return }
      if instant <= now { return add(item, to: queue) }
      let number = later.nextNumber()
      let call = call(at: instant) { [self] in
        if let work = later.delayed.removeValue(forKey: number) { add(work.item, to: work.queue) }
      }
      later.delayed[number] = (item, queue, call)
    }

    func add(_ item: ClientQueue.Item, to queue: ClientQueue) {
      if let line = queue.line, queue.passesOn(item) {
        var item = item
        item.giver = item.giver ?? queue
        return add(item, to: line)
      }
      queue.add(item)
      line(up: queue)
    }

    /// Enqueues a queue that has new work.
    func line(up queue: ClientQueue) {
      guard queue.wantsTurn else { return }
      queue.isInLine = true
      if let line = queue.line { return add(ClientQueue.Item(work: .queue(queue)), to: line) }
      turns.add(queue)
      if queue.isMain, main.thread == nil { startMain() }
    }

    /// Gives up a place in a queue and in all that it targets.
    private func end(_ queue: ClientQueue, isBarrier: Bool) {
      queue.leave(isBarrier: isBarrier)
      line(up: queue)
      if let target = queue.target { end(target, isBarrier: false) }
    }

    func run(_ queue: ClientQueue) {
      guard let item = queue.takeFirst() else { return }
      let queue = item.giver ?? queue
      queue.begin(isBarrier: item.isBarrier)
      if case .thread(let turn) = item.work {
        turn.hasCome = true
        return
      }
      queue.within(isBarrier: item.isBarrier) {
        switch item.work {
        case .block(let block): interposition_block_call(block)
        case .function(let work, let context):
          // The Swift runtime enqueues tasks as a function with the task as its context.
          if let context { tasks.insert(context) }
          work(context)
        case .closure(let work): work()
        case .thread, .queue: break
        }
      }
      end(queue, isBarrier: item.isBarrier)
      // Releasing a block may deinitialize captured objects, whose code runs as the client's.
      if case .block(let block) = item.work { ClientThread.forClient { interposition_block_release(block) } }
      if let group = item.group {
        interposition_real.dispatch_group_leave(group)
        DispatchObject.release(group)
      }
    }

    /// Runs `body` on this thread when its turn in the queue comes; returns `false` if the simulation ended before.
    func sync(_ pointer: UnsafeMutableRawPointer, isBarrier: Bool, _ body: () -> Void) -> Bool {
      let queue = queue(pointer)
      if queue.leads(to: QueueShape.main) {
        return withoutActuallyEscaping(body) { body in
          var isDone = false
          let work = ClientQueue.Item.Work.closure {
            body()
            isDone = true
          }
          add(ClientQueue.Item(work: work), to: queue)
          return wait("DispatchQueue.main.sync") { isDone } != .released || isDone
        }
      }
      var next: ClientQueue? = queue
      while let level = next, !level.isRoot {
        let isBarrier = isBarrier && level === queue
        next = level.target
        if level === queue ? level.isFree(forBarrier: isBarrier) : level.isFreeFromBelow {
          level.enter(isBarrier: isBarrier)
        } else {
          // A turn here includes all queues that this one targets.
          next = nil
          let turn = ClientQueue.Turn()
          add(ClientQueue.Item(work: .thread(turn), isBarrier: isBarrier), to: level)
          if wait("DispatchQueue.sync", { turn.hasCome }) == .released, !turn.hasCome { return false }
        }
      }
      queue.within(isBarrier: isBarrier, body)
      end(queue, isBarrier: isBarrier)
      return true
    }

    /// Runs a block in a queue once a condition holds.
    func notify(_ queue: UnsafeMutableRawPointer, _ block: UnsafeMutableRawPointer, when isDue: @escaping () -> Bool) {
      if let block = interposition_block_copy(block) { notifications.append((isDue, self.queue(queue), block)) }
    }

    func notify() {
      notifications.removeAll { notification in
        guard notification.isDue() else { return false }
        add(ClientQueue.Item(work: .block(notification.block)), to: notification.queue)
        return true
      }
    }
  }
#endif

#if os(Linux)
  import Glibc
  import Interposition

  extension Answers {
    static func addGroups(to answers: inout interposition_functions) {
      answers.dispatch_group_async = { group, queue, block in
        guard let thread = ClientThread.current, let group, let queue, let block else {
          return interposition_real.dispatch_group_async(group, queue, block)
        }
        thread.atWork { scheduler in
          var item = Answers.item(block)
          DispatchObject.retain(group)
          interposition_real.dispatch_group_enter(group)
          item.group = group
          scheduler.add(item, to: queue)
        }
      }
      answers.dispatch_group_notify = { group, queue, block in
        guard let thread = ClientThread.current, let group, let queue, let block else {
          return interposition_real.dispatch_group_notify(group, queue, block)
        }
        thread.atWork { scheduler in
          let group = Held(group)
          scheduler.notify(queue, block) { interposition_real.dispatch_group_wait(group.object, 0) == 0 }
        }
      }
      answers.dispatch_group_wait = { group, timeout in
        Answers.wait("DispatchGroup.wait", timeout) { interposition_real.dispatch_group_wait(group, $0) }
      }
      answers.dispatch_semaphore_wait = { semaphore, timeout in
        Answers.wait("DispatchSemaphore.wait", timeout) { interposition_real.dispatch_semaphore_wait(semaphore, $0) }
      }
      answers.dispatch_block_wait = { block, timeout in
        Answers.wait("DispatchWorkItem.wait", timeout) { interposition_real.dispatch_block_wait(block, $0) }
      }
      answers.dispatch_block_notify = { block, queue, notification in
        guard let thread = ClientThread.current, let block, let queue, let notification,
          let group = WorkItemShape.group(of: block)
        else { return interposition_real.dispatch_block_notify(block, queue, notification) }
        thread.atWork { scheduler in
          let held = Held(group)
          scheduler.notify(queue, notification) { interposition_real.dispatch_group_wait(held.object, 0) == 0 }
        }
      }
    }

    /// Reads a work item's flags and its group from the memory of its block.
    ///
    /// The item leaves its group once it has run. libdispatch's layout is not public. So the offsets are tested once on
    /// an item, before and after it runs.
    enum WorkItemShape {
      private static let magic: UInt = 0xD159_B10C
      private static let descriptorOffset = 24
      private static let magicOffset = 32
      private static let flagsOffset = 40
      private static let groupOffset = 80
      /// The flag of a barrier, `DISPATCH_BLOCK_BARRIER`.
      private static let barrier: UInt = 1

      /// Whether a block is a work item that is a barrier in any queue.
      static func isBarrier(_ block: UnsafeMutableRawPointer) -> Bool {
        // A block's descriptor contains the block's size.
        let descriptor = (block + descriptorOffset).load(as: UnsafeRawPointer.self)
        guard (descriptor + 8).load(as: UInt.self) > groupOffset else { return false }
        return read(block) != nil && (block + flagsOffset).load(as: UInt.self) & barrier != 0
      }

      static func group(of block: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? { read(block) }

      private static func read(_ block: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        guard (block + magicOffset).load(as: UInt.self) == magic else { return nil }
        return (block + groupOffset).load(as: UnsafeMutableRawPointer?.self)
      }

      /// Whether the process's libdispatch has the expected layout, by a test on one work item.
      static let isKnown: Bool = {
        guard let symbol = dlsym(nil, "dispatch_block_create") else { return false }
        typealias Create = @convention(c) (UInt, @escaping @convention(block) () -> Void) -> UnsafeMutableRawPointer?
        guard let block = unsafeBitCast(symbol, to: Create.self)(barrier, {}), let group = read(block),
          (block + flagsOffset).load(as: UInt.self) & barrier != 0
        else { return false }
        defer { interposition_block_release(block) }
        let wasOpen = interposition_real.dispatch_group_wait(group, 0) != 0
        interposition_block_call(block)
        return wasOpen && interposition_real.dispatch_group_wait(group, 0) == 0
      }()
    }

    /// Retains a dispatch object for as long as this object lives.
    private final class Held {
      let object: UnsafeMutableRawPointer
      init(_ object: UnsafeMutableRawPointer) {
        self.object = object
        DispatchObject.retain(object)
      }
      deinit { DispatchObject.release(object) }
    }

    /// Waits for a libdispatch object; `ask` polls it with a timeout and returns 0 once it is signalled.
    private static func wait(_ call: StaticString, _ timeout: UInt64, _ ask: @escaping (UInt64) -> Int) -> Int {
      guard let thread = ClientThread.current else { return ask(timeout) }
      let outcome = thread.atWork { scheduler in
        scheduler.wait(call, until: scheduler.instant(ofDispatch: timeout)) { ask(0) == 0 }
      }
      switch outcome {
      case .over: return 0
      case .expired: return 1
      case .released: return ask(timeout == .max ? .max : 0)
      }
    }
  }
#endif

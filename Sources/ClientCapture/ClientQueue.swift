#if os(Linux)
  import Glibc
  import Interposition
  import Internals
  import struct Synchronization.Atomic

  /// A dispatch queue in one simulation: its waiting and running work.
  ///
  /// Work of a client's queue runs inside the real queue, so that simulations that share it exclude each other. The
  /// scheduler alone chooses the order.
  final class ClientQueue {
    struct Item {
      enum Work {
        /// A retained block.
        case block(UnsafeMutableRawPointer)
        case function(@convention(c) (UnsafeMutableRawPointer?) -> Void, UnsafeMutableRawPointer?)
        /// Work of the scheduler itself.
        case closure(() -> Void)
        /// A thread that runs the work itself once it gets the baton.
        case thread(Turn)
        /// A queue that targets this one; it runs all its work when the item is taken.
        case queue(ClientQueue)
      }
      var work: Work
      var isBarrier = false
      /// The queue to which the item was submitted, if that queue passed it directly to its target.
      var giver: ClientQueue?
      /// The retained dispatch group that the item leaves at its end.
      var group: UnsafeMutableRawPointer?
    }

    /// A thread's turn in a queue, which `DispatchQueue.sync` waits for.
    final class Turn {
      var hasCome = false
    }

    let pointer: UnsafeMutableRawPointer
    /// Whether this is a root queue, in which all work may run at any time.
    let isRoot: Bool
    let isMain: Bool
    private let isNarrow: Bool
    /// Whether this queue is, or targets, the queue that all URL sessions' work queues target.
    private var isFoundations: Bool { isSharedBySessions || target?.isFoundations == true }
    private let isSharedBySessions: Bool
    /// Whether other simulations may use this queue, too: neither the client nor Foundation's internals made it.
    private let isForeign: Bool
    /// The label, if this is a URL session's queue.
    let sessionLabel: String?
    /// Whether this simulation alone uses the queue's URL session until it ends.
    var isOurs = false
    /// Whether this queue, or one that it targets, runs one piece of work at a time.
    private var isSerial: Bool { isNarrow || target?.isSerial == true }
    var target: ClientQueue?
    /// The waiting items; those before `head` have been taken.
    private var items: [Item] = []
    private var head = 0
    private var isEmpty: Bool { head == items.count }
    var first: Item? { isEmpty ? nil : items[head] }
    private var running = 0
    private var hasBarrier = false
    var suspensions = 0
    /// Whether this queue was created inactive, so that it runs nothing before its activation.
    private let wasInactive: Bool
    private var isStopped: Bool { suspensions > 0 || (wasInactive && QueueShape.known.isInactive(pointer)) }
    /// Whether this queue is enqueued: in its target queue if that is serial, else in the list of ready queues.
    var isInLine = false

    init(_ pointer: UnsafeMutableRawPointer, target: ClientQueue?, isOwn: Bool) {
      self.pointer = pointer
      self.target = target
      isMain = pointer == QueueShape.main
      let width = QueueShape.known.width(of: pointer)
      isNarrow = isMain || width == 1
      isSharedBySessions = Self.label(of: pointer, beginsWith: "org.swift.URLSession.SharedQueue")
      isForeign = !isOwn && !Self.isInner(pointer)
      sessionLabel = Self.sessionLabel(of: pointer)
      wasInactive = QueueShape.known.isInactive(pointer)
      isRoot = !isMain && (target == nil || Self.isPool(pointer, width: width))
      DispatchObject.retain(pointer)
    }

    deinit {
      DispatchObject.release(pointer)
    }

    /// Whether a queue is the Swift runtime's pool for tasks, which is as wide as the number of processors.
    private static func isPool(_ pointer: UnsafeMutableRawPointer, width: Int) -> Bool {
      if width != 1 && width != 0xFFE { return true }
      return label(of: pointer, beginsWith: "Swift global")
    }

    /// Whether a queue is one of Foundation's inner queues, whose work never waits.
    static func isInner(_ queue: UnsafeMutableRawPointer) -> Bool { label(of: queue, beginsWith: "org.swift.") }

    private static func label(of queue: UnsafeMutableRawPointer, beginsWith text: StaticString) -> Bool {
      interposition_real.dispatch_queue_get_label(queue).map {
        strncmp($0, UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self), text.utf8CodeUnitCount) == 0
      } ?? false
    }

    private static func sessionLabel(of queue: UnsafeMutableRawPointer) -> String? {
      guard label(of: queue, beginsWith: "URLSession<") else { return nil }
      return interposition_real.dispatch_queue_get_label(queue).map { String(cString: $0) }
    }

    func add(_ item: Item) { items.append(item) }

    func takeFirst() -> Item? {
      guard let first else { return nil }
      head += 1
      // Bounds the array's memory to twice the largest number of waiting items.
      if head * 2 > items.count {
        items.removeFirst(head)
        head = 0
      }
      return first
    }

    /// The serial target queue in which this queue is enqueued; `nil` if its work can run as soon as a thread is free.
    ///
    /// As in libdispatch, a serial queue runs the work of all queues that target it in order of arrival. Foundation
    /// relies on this: tasks' queues target their session's queue.
    var line: ClientQueue? { target.flatMap { !$0.isRoot && $0.isSerial ? $0 : nil } }

    /// Whether this queue passes an item directly to its serial target, instead of enqueuing itself there.
    ///
    /// A concurrent queue without a barrier has no order to keep (libdispatch, `_dispatch_lane_concurrent_push`).
    func passesOn(_ item: Item) -> Bool {
      if case .thread = item.work { return false }
      return !isNarrow && !item.isBarrier && isEmpty && !isStopped && !hasBarrier
    }

    var hasWork: Bool { !isEmpty && !isStopped }

    /// Whether this queue must be enqueued now; a serial queue that is running is enqueued again later.
    var wantsTurn: Bool { hasWork && !isInLine && !(isSerial && running > 0) }

    /// The queue whose first item may run next here: this one, or one that targets it; `nil` for none.
    func next() -> ClientQueue? {
      while let first, hasRoom(for: first.isBarrier) {
        guard case .queue(let queue) = first.work else { return self }
        if queue.hasWork { return queue.next() }
        queue.isInLine = false
        _ = takeFirst()
      }
      return nil
    }

    /// Whether a thread could enter this queue at once by `DispatchQueue.sync`.
    func isFree(forBarrier isBarrier: Bool) -> Bool {
      isEmpty && hasOwnRoom(for: isBarrier)
    }

    /// Whether a thread could enter this queue at once through a queue that targets it.
    ///
    /// In Foundation's queues the thread may overtake waiting items if none is running. A caller that cancels a
    /// `data(for:delegate:)` task holds the task's lock while it waits here. Waiting items may need that lock
    /// (swift-corelibs-foundation issue 5412). In real time the two seldom coincide, but in virtual time ties are
    /// common.
    var isFreeFromBelow: Bool { hasOwnRoom(for: false) && (isEmpty || isFoundations) }

    private func hasOwnRoom(for isBarrier: Bool) -> Bool {
      isRoot || !(isStopped || hasBarrier || (running > 0 && (isSerial || isBarrier)))
    }

    private func hasRoom(for isBarrier: Bool) -> Bool {
      hasOwnRoom(for: isBarrier) && target?.hasRoom(for: false) ?? true
    }

    /// Occupies a place in this queue only.
    func enter(isBarrier: Bool) {
      if isRoot { return }
      running += 1
      if isBarrier, !isSerial { hasBarrier = true }
    }

    /// Occupies a place in this queue and in all that it targets.
    func begin(isBarrier: Bool) {
      enter(isBarrier: isBarrier)
      target?.begin(isBarrier: false)
    }

    /// Gives up a place in this queue only.
    func leave(isBarrier: Bool) {
      if isRoot { return }
      running -= 1
      if isBarrier, !isSerial { hasBarrier = false }
    }

    /// Whether other simulations may have to wait for this queue, because clients share it.
    ///
    /// It excludes queues with a process-wide target, such as sessions' work queues. A thread that waits in one of
    /// those would stop every other simulation.
    private var isShared: Bool { !isRoot && !isMain && target?.isRoot == true }

    /// Whether clients of other simulations may use this queue now, so that this simulation must first wait for its
    /// turn.
    private var isOthersToo: Bool {
      sessionLabel.map { !isOurs && ReservedQueues.contains($0) } ?? (isForeign && !isRoot && !isMain)
    }

    /// Whether this queue is the given one, or targets it.
    func leads(to queue: UnsafeMutableRawPointer) -> Bool {
      pointer == queue || target?.leads(to: queue) == true
    }

    /// Returns the value for a key in this queue, or else in the nearest target queue that has one.
    func specific(_ key: UnsafeRawPointer) -> UnsafeMutableRawPointer? {
      QueueShape.specific(pointer, key) ?? target?.specific(key)
    }

    /// Runs a client's `body` within this queue, inside the real queue if that is shared.
    func within(isBarrier: Bool, _ body: () -> Void) {
      let thread = ClientThread.owner
      thread?.queues.append(self)
      defer { _ = thread?.queues.popLast() }
      // A session counts its tasks in its queue, and any simulation's client may create one.
      let isLocked = isShared || (sessionLabel != nil && !isOurs)
      let scheduler = thread?.scheduler
      // Waiting for the other simulation here counts as progress; in the real queue it would not.
      if isOthersToo { scheduler?.takeSharedObject() }
      guard isLocked else { return ClientThread.forClient(body) }
      scheduler?.awaitedQueue.store(UInt(bitPattern: pointer), ordering: .relaxed)
      withoutActuallyEscaping(body) { body in
        var call = {
          scheduler?.awaitedQueue.store(0, ordering: .relaxed)
          // The run may have been refused while it waited.
          if scheduler?.host?.isRefused != true { ClientThread.forClient(body) }
        }
        withUnsafeMutablePointer(to: &call) { call in
          let run: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
            context?.assumingMemoryBound(to: (() -> Void).self).pointee()
          }
          if isBarrier {
            interposition_real.dispatch_barrier_sync_f(pointer, call, run)
          } else {
            interposition_real.dispatch_sync_f(pointer, call, run)
          }
        }
      }
      if let scheduler, scheduler.host?.isRefused == true { scheduler.stop() }
    }
  }

  /// Reads a queue's width, target and state from libdispatch's memory, since no public call returns them.
  ///
  /// The layout is not public: the offsets are found by comparing test queues. If they are not found, capture is
  /// disabled.
  struct QueueShape {
    private let widthOffset: Int
    private let targetOffset: Int
    private let stateOffset: Int
    /// The state bits of a queue that was created inactive and is not activated yet.
    private let inactive: UInt64

    /// The address of the main queue; known where ``found`` is not `nil`.
    // Unsafe only for its type: the address is constant.
    nonisolated(unsafe) static let main = dlsym(nil, "_dispatch_main_q")!
    static let found = find()
    static var known: QueueShape {
      guard let found else { preconditionFailure("nothing is captured where the shape of queues is not known") }
      return found
    }

    /// Whether a dispatch object is a queue, judged by its width: other objects have 0 or another value there.
    func isQueue(_ object: UnsafeMutableRawPointer) -> Bool {
      let width = width(of: object)
      return width == 1 || (0xFFE...0xFFF).contains(width)
    }

    func width(of queue: UnsafeMutableRawPointer) -> Int {
      Int((queue + widthOffset).loadUnaligned(as: UInt16.self))
    }

    func target(of queue: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
      (queue + targetOffset).loadUnaligned(as: UnsafeMutableRawPointer?.self)
    }

    func isInactive(_ queue: UnsafeMutableRawPointer) -> Bool {
      (queue + stateOffset).loadUnaligned(as: UInt64.self) & inactive == inactive
    }

    private typealias Specific = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> UnsafeMutableRawPointer?
    private static let getSpecific = dlsym(nil, "dispatch_queue_get_specific").map {
      unsafeBitCast($0, to: Specific.self)
    }

    /// Returns the value for a key in this queue only, as `dispatch_queue_get_specific` does.
    static func specific(_ queue: UnsafeMutableRawPointer, _ key: UnsafeRawPointer) -> UnsafeMutableRawPointer? {
      getSpecific?(queue, key)
    }

    private typealias Create =
      @convention(c) (UnsafePointer<CChar>?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?)
      -> UnsafeMutableRawPointer?
    private static func find() -> QueueShape? {
      typealias Change = @convention(c) (UnsafeMutableRawPointer) -> Void
      typealias Attribute = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
      guard let symbol = dlsym(nil, "dispatch_queue_create_with_target"),
        let concurrent = dlsym(nil, "_dispatch_queue_attr_concurrent"), let release = dlsym(nil, "dispatch_release"),
        let activation = dlsym(nil, "dispatch_activate"),
        let inactivity = dlsym(nil, "dispatch_queue_attr_make_initially_inactive"), DispatchObject.isKnown,
        dlsym(nil, "_dispatch_main_q") != nil
      else { return nil }
      let giveUp = unsafeBitCast(release, to: Change.self)
      let activate = unsafeBitCast(activation, to: Change.self)
      let makeInactive = unsafeBitCast(inactivity, to: Attribute.self)
      let create = unsafeBitCast(symbol, to: Create.self)
      // Queues of several kinds; each object has at least 112 bytes.
      guard let first = create("first", nil, nil), let wide = create("wide", concurrent, nil),
        let second = create("second", nil, first), let third = create("third", concurrent, wide),
        let late = create("late", makeInactive(nil), nil), let lateWide = create("late", makeInactive(concurrent), nil)
      else { return nil }
      defer { for queue in [lateWide, late, third, second, wide, first] { giveUp(queue) } }
      func words(_ queue: UnsafeMutableRawPointer) -> [UInt64] {
        stride(from: 16, to: 112, by: 8).map { (queue + $0).loadUnaligned(as: UInt64.self) }
      }
      let before = [late, lateWide].map(words)
      activate(late)
      activate(lateWide)
      let after = [first, wide].map(words)
      // The one word that activation changes, to the same value as in other queues.
      let state = before[0].indices.first { word in
        zip([late, lateWide], 0...).allSatisfy { queue, kind in
          before[kind][word] != after[kind][word] && words(queue)[word] == after[kind][word]
        }
      }
      func pointer(_ queue: UnsafeMutableRawPointer, _ offset: Int) -> UnsafeMutableRawPointer? {
        (queue + offset).loadUnaligned(as: UnsafeMutableRawPointer?.self)
      }
      func short(_ queue: UnsafeMutableRawPointer, _ offset: Int) -> UInt16 {
        (queue + offset).loadUnaligned(as: UInt16.self)
      }
      let target = stride(from: 16, to: 112, by: 8).first { pointer(second, $0) == first && pointer(third, $0) == wide }
      let width = stride(from: 16, to: 112, by: 2).first { offset in
        [first, second].allSatisfy { short($0, offset) == 1 }
          && [wide, third].allSatisfy { short($0, offset) == 0xFFE }
      }
      guard let target, let width, let state else { return nil }
      let inactive = zip(before, after).map { $0[state] & ~$1[state] }.reduce(.max, &)
      guard inactive != 0 else { return nil }
      return QueueShape(
        widthOffset: width, targetOffset: target, stateOffset: 16 + 8 * state, inactive: inactive)
    }
  }
#endif

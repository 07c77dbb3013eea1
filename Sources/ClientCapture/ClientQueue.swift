#if os(Linux)
  import Glibc
  import Interposition
  import Internals

  /// A dispatch queue as one simulation sees it: who waits in it, and who runs.
  ///
  /// The work of a client's own queue runs within the real one, so that simulations that share it exclude each other; the
  /// real queue is never asked to choose.
  final class ClientQueue {
    /// A piece of work that waits for its turn.
    struct Item {
      enum Work {
        /// A block, which is held.
        case block(UnsafeMutableRawPointer)
        case function(@convention(c) (UnsafeMutableRawPointer?) -> Void, UnsafeMutableRawPointer?)
        /// The scheduler's own.
        case closure(() -> Void)
        /// A thread runs it itself, once it gets the baton.
        case thread(Turn)
        /// One that leads here, and does all its work when its turn comes.
        case queue(ClientQueue)
      }
      var work: Work
      var isBarrier = false
      /// The queue that it was given to, where that has passed it on to the one that it leads to.
      var giver: ClientQueue?
      /// The group that it leaves at its end, which is held.
      var group: UnsafeMutableRawPointer?
    }

    /// A thread's turn in a queue.
    final class Turn {
      var hasCome = false
    }

    let pointer: UnsafeMutableRawPointer
    /// Whether it is one of the system's own, in which everything may run at any time.
    let isRoot: Bool
    let isMain: Bool
    private let isNarrow: Bool
    /// Whether it is the one to which the work queues of all URL sessions lead, or one of those.
    private var isFoundations: Bool { isSharedBySessions || target?.isFoundations == true }
    private let isSharedBySessions: Bool
    /// Whether clients of several simulations use it at once: it is that of `URLSession.shared`.
    private let isOfProcess: Bool
    /// The label of the one queue of the process whose work excludes that of other simulations and of real time.
    static let labelOfProcess = Mutex<String?>(nil)
    /// Whether one thing runs in it at a time, or in what it leads to.
    private var isSerial: Bool { isNarrow || target?.isSerial == true }
    var target: ClientQueue?
    /// First in, first out; what lies before `head` is gone.
    private var items: [Item] = []
    private var head = 0
    private var isEmpty: Bool { head == items.count }
    /// The piece of work whose turn is next.
    var first: Item? { isEmpty ? nil : items[head] }
    private var running = 0
    private var hasBarrier = false
    var suspensions = 0
    /// Whether it was made inactive: then it runs nothing before it is activated.
    private let wasInactive: Bool
    private var isStopped: Bool { suspensions > 0 || (wasInactive && QueueShape.known.isInactive(pointer)) }
    /// Whether it is enqueued: in its target queue if that is serial, else in the list of ready queues.
    var isInLine = false

    init(_ pointer: UnsafeMutableRawPointer, target: ClientQueue?) {
      self.pointer = pointer
      self.target = target
      isMain = pointer == QueueShape.main
      let width = QueueShape.known.width(of: pointer)
      isNarrow = isMain || width == 1
      isSharedBySessions = Self.label(of: pointer, beginsWith: "org.swift.URLSession.SharedQueue")
      isOfProcess = Self.isOfProcess(pointer)
      wasInactive = QueueShape.known.isInactive(pointer)
      isRoot = !isMain && (target == nil || Self.isPool(pointer, width: width))
      DispatchObject.retain(pointer)
    }

    deinit {
      DispatchObject.release(pointer)
    }

    /// Whether it is the Swift runtime's, in which tasks run: as wide as there are processors, for all of the process.
    private static func isPool(_ pointer: UnsafeMutableRawPointer, width: Int) -> Bool {
      if width != 1 && width != 0xFFE { return true }
      return label(of: pointer, beginsWith: "Swift global")
    }

    private static func label(of queue: UnsafeMutableRawPointer, beginsWith text: StaticString) -> Bool {
      interposition_real.dispatch_queue_get_label(queue).map {
        strncmp($0, UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self), text.utf8CodeUnitCount) == 0
      } ?? false
    }

    private static func isOfProcess(_ queue: UnsafeMutableRawPointer) -> Bool {
      guard label(of: queue, beginsWith: "URLSession<"), let label = interposition_real.dispatch_queue_get_label(queue)
      else { return false }
      return labelOfProcess.withLock { $0 == String(cString: label) }
    }

    func add(_ item: Item) { items.append(item) }

    func takeFirst() -> Item? {
      guard let first else { return nil }
      head += 1
      // Its memory grows to twice what waits at most.
      if head * 2 > items.count {
        items.removeFirst(head)
        head = 0
      }
      return first
    }

    /// The serial target queue in which it is enqueued; `nil` where it runs as soon as a thread is free.
    ///
    /// A serial queue runs the work of all queues that target it in the order of its arrival, as libdispatch does:
    /// Foundation relies on it, where the queues of tasks target that of their session.
    var line: ClientQueue? { target.flatMap { !$0.isRoot && $0.isSerial ? $0 : nil } }

    /// Whether it gives a piece of work to the queue in which it would stand in line, and does not stand there itself: a
    /// concurrent queue has no order to keep as long as no barrier does (`_dispatch_lane_concurrent_push` in libdispatch).
    func passesOn(_ item: Item) -> Bool {
      if case .thread = item.work { return false }
      return !isNarrow && !item.isBarrier && isEmpty && !isStopped && !hasBarrier
    }

    /// Whether the work that it has may be done.
    var hasWork: Bool { !isEmpty && !isStopped }

    /// Whether it has to stand in line, and does not yet: not while a thread has it, who comes to its turn elsewhere.
    var wantsTurn: Bool { hasWork && !isInLine && !(isSerial && running > 0) }

    /// The queue whose first piece of work is the next one here, if that may run: this, or one that leads to it.
    func next() -> ClientQueue? {
      while let first, hasRoom(for: first.isBarrier) {
        guard case .queue(let queue) = first.work else { return self }
        if queue.hasWork { return queue.next() }
        queue.isInLine = false
        _ = takeFirst()
      }
      return nil
    }

    /// Whether this queue would admit a thread at once.
    func isFree(forBarrier isBarrier: Bool) -> Bool {
      isEmpty && hasOwnRoom(for: isBarrier)
    }

    /// The same for a thread that comes through a queue that leads here.
    ///
    /// In Foundation's own it gets in before those in line, where nobody is at work: who cancels a task of
    /// `data(for:delegate:)` keeps that task locked while it waits here, and who is in line may want the lock
    /// (swift-corelibs-foundation issue 5412). In real time the two meet seldom; in virtual time a tie is an everyday
    /// thing.
    var isFreeFromBelow: Bool { hasOwnRoom(for: false) && (isEmpty || isFoundations) }

    private func hasOwnRoom(for isBarrier: Bool) -> Bool {
      isRoot || !(isStopped || hasBarrier || (running > 0 && (isSerial || isBarrier)))
    }

    private func hasRoom(for isBarrier: Bool) -> Bool {
      hasOwnRoom(for: isBarrier) && target?.hasRoom(for: false) ?? true
    }

    /// Takes a place in it alone.
    func enter(isBarrier: Bool) {
      if isRoot { return }
      running += 1
      if isBarrier, !isSerial { hasBarrier = true }
    }

    /// Takes a place in it, and in those that it leads to.
    func begin(isBarrier: Bool) {
      enter(isBarrier: isBarrier)
      target?.begin(isBarrier: false)
    }

    /// Gives up its place.
    func leave(isBarrier: Bool) {
      if isRoot { return }
      running -= 1
      if isBarrier, !isSerial { hasBarrier = false }
    }

    /// Whether other simulations may have to wait for it: it is a client's own, and they may share it.
    ///
    /// Not so where queues lead to one that is all the process's, as the work queues of all sessions do: a thread that waits
    /// in one of them would stop every other simulation.
    private var isShared: Bool { !isRoot && !isMain && target?.isRoot == true }

    /// Whether it is this queue, or leads to it.
    func leads(to queue: UnsafeMutableRawPointer) -> Bool {
      pointer == queue || target?.leads(to: queue) == true
    }

    /// Returns the value that is stored for a key in this queue, or else in the nearest of the queues that it targets.
    func specific(_ key: UnsafeRawPointer) -> UnsafeMutableRawPointer? {
      QueueShape.specific(pointer, key) ?? target?.specific(key)
    }

    /// Runs `body`, a client's, within the queue.
    func within(isBarrier: Bool, _ body: () -> Void) {
      let thread = ClientThread.owner
      thread?.queues.append(self)
      defer { _ = thread?.queues.popLast() }
      // The shared session counts its tasks in its queue, and any simulation's client may make one. A simulation that has
      // reserved the queue has suspended it.
      let isLocked = isShared || (isOfProcess && thread?.scheduler.reserved.isReserved == false)
      guard isLocked else { return ClientThread.forClient(body) }
      withoutActuallyEscaping(body) { body in
        var call = { ClientThread.forClient(body) }
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
    }
  }

  /// Counts the owners of libdispatch's objects.
  enum DispatchObject {
    // The counts within libdispatch: a queue that only a timer holds has no owner outside any more, and can get none.
    private typealias Retain = @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?
    private typealias Release = @convention(c) (UnsafeMutableRawPointer) -> Void
    private static let retaining = dlsym(nil, "_os_object_retain_internal").map {
      unsafeBitCast($0, to: Retain.self)
    }
    private static let releasing = dlsym(nil, "_os_object_release_internal").map {
      unsafeBitCast($0, to: Release.self)
    }

    static var isKnown: Bool { retaining != nil && releasing != nil }
    static func retain(_ object: UnsafeMutableRawPointer) { _ = retaining?(object) }
    static func release(_ object: UnsafeMutableRawPointer) { releasing?(object) }

    /// Whether anybody outside of libdispatch holds it, as the header of all its objects says behind their class and their
    /// inner count.
    static func hasOwner(_ object: UnsafeMutableRawPointer) -> Bool {
      (object + 12).load(as: Int32.self) >= 0
    }
  }

  /// Where libdispatch keeps what its interface does not tell of a queue: how wide it is, and where it leads to.
  ///
  /// Not public, so it is looked for in queues of which both are known; where it is not found, nothing is captured.
  struct QueueShape {
    private let widthOffset: Int
    private let targetOffset: Int
    private let stateOffset: Int
    /// The bits of the state of a queue that was made inactive and not activated yet.
    private let inactive: UInt64

    /// The main queue.
    // Unsafe for its type alone: a constant address.
    nonisolated(unsafe) static let main = dlsym(nil, "_dispatch_main_q")
    static let found = find()
    static var known: QueueShape {
      guard let found else { preconditionFailure("nothing is captured where the shape of queues is not known") }
      return found
    }

    /// Whether a dispatch object is a queue, told by its width: other objects are 0 there, or something else.
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

    /// Whether it was made inactive and is not activated yet.
    func isInactive(_ queue: UnsafeMutableRawPointer) -> Bool {
      (queue + stateOffset).loadUnaligned(as: UInt64.self) & inactive == inactive
    }

    private typealias Specific = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> UnsafeMutableRawPointer?
    private static let getSpecific = dlsym(nil, "dispatch_queue_get_specific").map {
      unsafeBitCast($0, to: Specific.self)
    }

    /// Returns the value that is stored for a key in a queue itself, as `dispatch_queue_get_specific` does.
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
        let inactivity = dlsym(nil, "dispatch_queue_attr_make_initially_inactive"), DispatchObject.isKnown, main != nil
      else { return nil }
      let giveUp = unsafeBitCast(release, to: Change.self)
      let activate = unsafeBitCast(activation, to: Change.self)
      let makeInactive = unsafeBitCast(inactivity, to: Attribute.self)
      let create = unsafeBitCast(symbol, to: Create.self)
      // Queues of four kinds; each is as large as 112 bytes at least.
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
      // The one word that differs, and becomes what it is in any other queue.
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

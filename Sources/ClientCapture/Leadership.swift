#if os(Linux)
  /// The thread that lets time pass, and those that could.
  struct Leadership {
    /// `nil` while the former leader waits and no other has begun.
    var leader: ClientThread?
    /// Lets time pass on the leader's thread; returns `true` once the simulation is over.
    private(set) var drive: (() -> Bool)?
    /// The threads that have led, and wait for the end with nothing of the client's beneath them.
    private(set) var former: [ClientThread] = []
    /// The threads that wait to lead.
    private var idle: [ClientThread] = []

    mutating func begin(by thread: ClientThread, _ drive: @escaping () -> Bool) {
      (leader, self.drive) = (thread, drive)
    }

    mutating func retire(_ thread: ClientThread) { former.append(thread) }

    mutating func rest(_ thread: ClientThread) { idle.append(thread) }

    mutating func takeIdle() -> ClientThread? { idle.popLast() }

    /// Forgets the work and the threads, and returns these.
    mutating func end() -> (idle: [ClientThread], former: [ClientThread]) {
      defer { (idle, former, drive) = ([], [], nil) }
      return (idle, former)
    }
  }
#endif

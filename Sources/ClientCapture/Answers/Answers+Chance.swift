#if os(Linux)
  import Glibc
  import Interposition

  extension Answers {
    static func addChance(to answers: inout interposition_functions) {
      answers.read = { descriptor, memory, count in
        guard let thread = ClientThread.current else { return interposition_real.read(descriptor, memory, count) }
        switch interposition_kind_of(descriptor) {
        case Int32(interposition_chance):
          thread.fill(memory, count)
          return count
        case Int32(interposition_pipe):
          return Answers.receive("read", descriptor) { interposition_real.read(descriptor, memory, count) }
        default: return interposition_real.read(descriptor, memory, count)
        }
      }
      answers.getrandom = { memory, count, flags in
        guard let thread = ClientThread.current else { return interposition_real.getrandom(memory, count, flags) }
        thread.fill(memory, count)
        return count
      }
      answers.getentropy = { memory, count in
        // The system refuses more than 256 bytes.
        guard let thread = ClientThread.current, count <= 256 else {
          return interposition_real.getentropy(memory, count)
        }
        thread.fill(memory, count)
        return 0
      }
      answers.random = { ClientThread.drawn(31) ?? interposition_real.random() }
      answers.rand = { ClientThread.drawn(31).map { Int32($0) } ?? interposition_real.rand() }
      answers.drand48 = { ClientThread.drawn(53).map { Double($0) / 0x1p53 } ?? interposition_real.drand48() }
      answers.lrand48 = { ClientThread.drawn(31) ?? interposition_real.lrand48() }
      answers.mrand48 = { ClientThread.drawn(32).map { $0 - 0x8000_0000 } ?? interposition_real.mrand48() }
      answers.arc4random_buf = { memory, count in
        guard let thread = ClientThread.current else { return interposition_real.arc4random_buf(memory, count) }
        thread.fill(memory, count)
      }
      answers.arc4random = {
        ClientThread.drawn(32).map { UInt32($0) } ?? interposition_real.arc4random()
      }
      answers.arc4random_uniform = { bound in
        guard let thread = ClientThread.current else { return interposition_real.arc4random_uniform(bound) }
        return UInt32(UInt64(bound).multipliedFullWidth(by: thread.atWork { $0.draw() }).high)
      }
    }
  }

  /// The iteration order of sets and dictionaries, which the standard library varies by their address.
  enum HashOrder {
    /// Makes the order depend on the process's hash seed only, for sets and dictionaries created from now on.
    ///
    /// This affects the whole process, as `SWIFT_DETERMINISTIC_HASHING` does at its start, but keeps the process's
    /// seed. The layout is that of `_SwiftStdlibHashingParameters`: two seeds and a Boolean.
    static func fix() {
      guard let parameters = dlsym(nil, "_swift_stdlib_Hashing_parameters") else { return }
      (parameters + 16).storeBytes(of: 1, as: UInt8.self)
    }
  }

  extension ClientThread {
    /// Returns `bits` random bits from the simulation's seed; `nil` outside of simulations.
    static func drawn(_ bits: Int) -> Int? {
      current.map { Int($0.atWork { $0.draw() } >> (64 - bits)) }
    }

    /// Fills memory with random bytes from the simulation's seed.
    func fill(_ memory: UnsafeMutableRawPointer?, _ count: Int) {
      guard let memory else { return }
      atWork { scheduler in
        var bits: UInt64 = 0
        for place in 0..<count {
          if place % 8 == 0 { bits = scheduler.draw() }
          memory.storeBytes(of: UInt8(truncatingIfNeeded: bits), toByteOffset: place, as: UInt8.self)
          bits >>= 8
        }
      }
    }
  }
#endif

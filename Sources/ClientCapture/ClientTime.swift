#if os(Linux)
  import Glibc
  import Interposition

  /// The times that clocks show in a simulation: the same in each run, wherever and whenever it is made.
  enum ClientTime {
    /// The first of January 2026, in nanoseconds since 1970: when every simulation begins.
    static let date: Int64 = 1_767_225_600_000_000_000
    /// How long the system has been up when a simulation begins: a million seconds, so that clients may look back.
    static let uptime: Int64 = 1_000_000_000_000_000

    /// The time that a clock shows when a simulation begins; `nil` for one that measures something else, such as the
    /// processor's time.
    static func beginning(of clock: clockid_t) -> Int64? {
      switch clock {
      case CLOCK_REALTIME, CLOCK_REALTIME_COARSE: date
      case CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW, CLOCK_MONOTONIC_COARSE, CLOCK_BOOTTIME: uptime
      default: nil
      }
    }

    /// A reading of a clock, as a time of the simulation's.
    ///
    /// Which clock it is shows in the number: uptimes are far below dates.
    static func instant(_ time: timespec, date: Int64) -> Int64 {
      let reading = nanoseconds(time)
      return reading > date / 2 ? reading - date : reading - uptime
    }

    static func nanoseconds(_ time: timespec) -> Int64 {
      let (seconds, overflows) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
      return overflows ? .max / 2 : seconds &+ Int64(time.tv_nsec)
    }

    static func timespec(_ nanoseconds: Int64) -> Glibc.timespec {
      Glibc.timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    }

    /// A time as libdispatch encodes it; `nil` is never.
    ///
    /// Bit 63 marks what is not uptime, bit 62 then a date, which is negated (`dispatch_time(3)`, and
    /// `_dispatch_time_to_clock_and_value` in libdispatch).
    static func instant(ofDispatch when: UInt64, now: Int64, date: Int64) -> Int64? {
      switch when {
      case 0, .max - 1: now
      case .max: nil
      case 0..<(1 << 63): Int64(when) - uptime
      default:
        when & (1 << 62) != 0 ? -Int64(bitPattern: when) - date : Int64(when & ~(1 << 63)) - uptime
      }
    }

    private typealias Context = @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?
    private static let context = dlsym(nil, "dispatch_get_context").map { unsafeBitCast($0, to: Context.self) }

    /// Returns the context of a dispatch object, which is the argument of its handlers (`dispatch_get_context`).
    static func context(of object: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? { context?(object) }

    private typealias Global = @convention(c) (Int, UInt) -> UnsafeMutableRawPointer?
    /// The queue of sources that name none.
    // Unsafe for its type alone: a constant address.
    nonisolated(unsafe) static let defaultQueue: UnsafeMutableRawPointer = {
      guard let symbol = dlsym(nil, "dispatch_get_global_queue"),
        let queue = unsafeBitCast(symbol, to: Global.self)(0, 0)
      else { preconditionFailure("libdispatch has no global queue") }
      return queue
    }()
  }
#endif

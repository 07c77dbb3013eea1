#if os(Linux)
  import Glibc
  import Interposition

  /// The clock readings in a simulation: the same in each run, on every machine and date.
  enum ClientTime {
    /// The date when every simulation begins: 1 January 2026, in nanoseconds since 1970.
    static let date: Int64 = 1_767_225_600_000_000_000
    /// The system's uptime when a simulation begins, in nanoseconds: a million seconds, so clients can subtract.
    static let uptime: Int64 = 1_000_000_000_000_000

    /// A clock's reading when a simulation begins; `nil` for other clocks, such as processor time.
    static func beginning(of clock: clockid_t) -> Int64? {
      switch clock {
      case CLOCK_REALTIME, CLOCK_REALTIME_COARSE: date
      case CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW, CLOCK_MONOTONIC_COARSE, CLOCK_BOOTTIME: uptime
      default: nil
      }
    }

    /// Converts a clock's reading to a time of the simulation; uptimes are far smaller than dates.
    static func instant(_ time: timespec, date: Int64) -> Int64 {
      let reading = nanoseconds(time)
      return reading > date / 2 ? reading - date : reading - uptime
    }

    static func nanoseconds(_ time: timespec) -> Int64 {
      let (seconds, overflows) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
      return overflows ? .max / 2 : seconds &+ Int64(time.tv_nsec)
    }

    /// Whether the system accepts the time as a duration to sleep (`nanosleep(2)`).
    static func isValid(_ time: Glibc.timespec) -> Bool { time.tv_sec >= 0 && 0..<1_000_000_000 ~= time.tv_nsec }

    static func timespec(_ nanoseconds: Int64) -> Glibc.timespec {
      Glibc.timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    }

    /// Converts libdispatch's encoding of a time; `nil` means never.
    ///
    /// Bit 63 is set except for uptimes. With bit 62 set as well, the value is a negated date (`dispatch_time(3)`;
    /// libdispatch, `_dispatch_time_to_clock_and_value`).
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

    /// Returns a dispatch object's context, which its handlers get as their argument (`dispatch_get_context`).
    static func context(of object: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? { context?(object) }

    private typealias Global = @convention(c) (Int, UInt) -> UnsafeMutableRawPointer?
    /// The queue of dispatch sources that were created without one.
    // Unsafe only for its type: the address is constant.
    nonisolated(unsafe) static let defaultQueue: UnsafeMutableRawPointer = {
      guard let symbol = dlsym(nil, "dispatch_get_global_queue"),
        let queue = unsafeBitCast(symbol, to: Global.self)(0, 0)
      else { preconditionFailure("libdispatch has no global queue") }
      return queue
    }()
  }
#endif

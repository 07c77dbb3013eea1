import Foundation
import Internals

/// Seconds on a monotonic clock.
func seconds() -> Double {
  Double(DispatchTime.now().uptimeNanoseconds) / 1e9
}

/// Seconds of processor time of this process.
func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Runs `work` and measures its seconds.
func timed<Result>(_ work: () throws -> Result) rethrows -> (result: Result, seconds: Double) {
  let start = seconds()
  let result = try work()
  return (result, seconds() - start)
}

/// Runs `work` and measures its seconds.
func timed<Result>(_ work: () async throws -> Result) async rethrows -> (result: Result, seconds: Double) {
  let start = seconds()
  let result = try await work()
  return (result, seconds() - start)
}

extension [Double] {
  var median: Double {
    let sorted = sorted()
    guard !sorted.isEmpty else { return .nan }
    return sorted.count % 2 == 1
      ? sorted[sorted.count / 2] : (sorted[sorted.count / 2 - 1] + sorted[sorted.count / 2]) / 2
  }

  func quantile(_ share: Double) -> Double {
    let sorted = sorted()
    return sorted.isEmpty ? .nan : sorted[Swift.min(sorted.count - 1, Int(share * Double(sorted.count)))]
  }
}

extension Double {
  /// The value with this many decimal places.
  func fixed(_ digits: Int) -> String {
    String(format: "%.\(digits)f", self)
  }
}

/// Keeps two processors busy while `body` runs.
func withBusyProcessors<Result>(_ body: () async throws -> Result) async rethrows -> Result {
  let stop = Mutex(false)
  let isStopped: @Sendable () -> Bool = { stop.withLock { $0 } }
  for _ in 0..<2 { Thread { while !isStopped() { _ = seconds() } }.start() }
  defer { stop.withLock { $0 = true } }
  return try await body()
}

/// How result rows are printed.
///
/// Unsafe variables: only the main function sets them, while no benchmark runs.
enum Rows {
  nonisolated(unsafe) static var areMarkdown = false
  /// The lines that another build printed for the same benchmark.
  nonisolated(unsafe) static var others: [String] = []

  static func label(_ what: String) -> String {
    "  \(what)\(String(repeating: " ", count: max(1, 44 - what.count)))"
  }
}

/// Prints one result: the quantity, the numbers and the goal.
func report(_ what: String, _ numbers: String, goal: String = "") {
  let label = Rows.label(what)
  if Rows.areMarkdown {
    print("| \(what) | \(numbers) | \(goal) |")
  } else {
    print("\(label)\(numbers)\(goal.isEmpty ? "" : "   (goal: \(goal))")")
  }
  if let other = Rows.others.first(where: { $0.hasPrefix(label) }) {
    let numbers = other.dropFirst(label.count).components(separatedBy: "   (goal:")[0]
    print(Rows.areMarkdown ? "| the other build | \(numbers) | |" : "\(Rows.label("  the other build"))\(numbers)")
  }
  fflush(nil)
}

#if os(Linux)
  /// A value from `/proc/PROCESS/status`, in MB.
  private func status(_ name: String, of process: String = "self") -> Double {
    let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
    return line.flatMap { Double($0.split(whereSeparator: \.isWhitespace)[1]) }.map { $0 / 1024 } ?? .nan
  }
#endif

#if os(Linux)
  /// The current resident memory of another process, in MB.
  func currentMegabytes(of process: Int32) -> Double { status("VmRSS", of: "\(process)") }
#endif

/// The current resident memory of this process, in MB; its peak where the system does not tell.
func currentMegabytes() -> Double {
  #if os(Linux)
    status("VmRSS")
  #else
    peakMegabytes()
  #endif
}

/// The peak resident memory of this process, in MB.
func peakMegabytes() -> Double {
  #if os(Linux)
    // Not getrusage: it includes the memory from before exec.
    return status("VmHWM")
  #else
    var usage = rusage()
    getrusage(0, &usage)
    return Double(usage.ru_maxrss) / 1_048_576
  #endif
}

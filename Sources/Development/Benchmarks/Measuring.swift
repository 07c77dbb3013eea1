import Foundation
import Internals

/// Seconds on a monotonic clock.
func seconds() -> Double {
  Double(DispatchTime.now().uptimeNanoseconds) / 1e9
}

/// Seconds that this process has spent on a processor.
func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Runs a closure, and returns its time in seconds.
func timed<Result>(_ work: () throws -> Result) rethrows -> (result: Result, seconds: Double) {
  let start = seconds()
  let result = try work()
  return (result, seconds() - start)
}

/// Runs an asynchronous closure, and returns its time in seconds.
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
  /// The value with this many decimals.
  func fixed(_ digits: Int) -> String {
    String(format: "%.\(digits)f", self)
  }
}

/// Has a thread for each of two processors compute for as long as `body` runs.
func withBusyProcessors<Result>(_ body: () async throws -> Result) async rethrows -> Result {
  let stop = Mutex(false)
  let isStopped: @Sendable () -> Bool = { stop.withLock { $0 } }
  for _ in 0..<2 { Thread { while !isStopped() { _ = seconds() } }.start() }
  defer { stop.withLock { $0 = true } }
  return try await body()
}

/// Prints rows of results.
///
/// Unsafe variables: the main function alone sets them, while no benchmark runs.
enum Rows {
  nonisolated(unsafe) static var areMarkdown = false
  /// Another build's lines for the same benchmark.
  nonisolated(unsafe) static var others: [String] = []

  static func label(_ what: String) -> String {
    "  \(what)\(String(repeating: " ", count: max(1, 44 - what.count)))"
  }
}

/// One line of a result: what was measured, the numbers, and the goal.
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
  /// A figure of the kernel about a process, in MB.
  private func status(_ name: String, of process: String = "self") -> Double {
    let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
    return line.flatMap { Double($0.split(whereSeparator: \.isWhitespace)[1]) }.map { $0 / 1024 } ?? .nan
  }
#endif

#if os(Linux)
  /// The memory that another process holds now, in MB.
  func currentMegabytes(of process: Int32) -> Double { status("VmRSS", of: "\(process)") }
#endif

/// The present memory of this process in MB; its peak if the system does not tell.
func currentMegabytes() -> Double {
  #if os(Linux)
    status("VmRSS")
  #else
    peakMegabytes()
  #endif
}

/// The peak of this process's memory, in MB.
func peakMegabytes() -> Double {
  #if os(Linux)
    // Not getrusage, which includes the memory of the process before it became this program.
    return status("VmHWM")
  #else
    var usage = rusage()
    getrusage(0, &usage)
    return Double(usage.ru_maxrss) / 1_048_576
  #endif
}

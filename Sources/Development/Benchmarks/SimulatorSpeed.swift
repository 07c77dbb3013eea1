import Foundation
import Internals
import LinkSimulator

/// The link simulator alone, without Foundation's loading system.
enum SimulatorSpeed {
  static func run() async throws {
    for (version, loss, goal) in [
      (StreamRequest.HTTPVersion.http1, 0.0, "3.0"), (.http1, 1.0, "1.5"), (.http3, 0.0, "2.0"), (.http3, 1.0, "2.0"),
    ] {
      let (segments, time) = transfer(loss: loss, version)
      report(
        "100 MB, 50 Mbit/s, 100 ms, \(loss.fixed(0)) % loss\(version == .http3 ? ", HTTP/3" : "")",
        "\((Double(segments) / time / 1e6).fixed(2)) M \(version == .http3 ? "packets" : "segments")/s", goal: goal)
    }
    for connections in [1, 100, 1000, 10_000] {
      let shared = share(connections)
      report(
        "\(connections) connections on one link",
        "\(shared.nanoseconds.fixed(0)) ns a segment, \(shared.fresh.fixed(0)) ns on fresh connections;"
          + " \(shared.setup.fixed(1)) us to open each,"
          + " \(shared.idle.fixed(1)) KB idle, \(shared.busy.fixed(1)) KB busy")
    }
    sweep()
  }

  private static func path(rate: Double, milliseconds: Int64, loss: Double, seed: UInt64) -> PathSimulator {
    let link = LinkConditions(
      rate: .megabitsPerSecond(rate), delay: .milliseconds(milliseconds / 2),
      loss: loss > 0 ? .independent(.percent(loss)) : .none)
    return PathSimulator(seed: seed, schedule: ConditionSchedule(PathConditions(down: link, up: link)))
  }

  /// Runs a path to its end, responds to each request with `bytes`, and returns the number of whole responses.
  private static func run(_ path: inout PathSimulator, answering bytes: Int64) -> Int {
    var done = 0
    while let next = path.nextEventTime {
      path.advance(to: next)
      var asked: [StreamID] = []
      path.drainEvents { event in
        switch event.kind {
        case .requestReceived: if let stream = event.stream { asked.append(stream) }
        case .responseReceived: done += 1
        default: break
        }
      }
      for stream in asked { path.write(bytes, .down, on: stream, finishing: true) }
    }
    return done
  }

  private static func transfer(
    loss: Double, _ version: StreamRequest.HTTPVersion
  ) -> (segments: Int64, time: Double) {
    var path = path(rate: 50, milliseconds: 100, loss: loss, seed: 1)
    let stream = path.open(StreamRequest(key: 1, host: "h", port: 80, version: version))
    path.write(100, .up, on: stream, finishing: true)
    let start = processorSeconds()
    _ = run(&path, answering: 100_000_000)
    return (path.statistics(of: stream).down.packets, processorSeconds() - start)
  }

  /// The cost of connections that share a link.
  private struct Shared {
    /// Nanoseconds per data segment in the steady state.
    var nanoseconds: Double
    /// The same on fresh connections: the links' ring buffers still grow, and a fresh receiver sends more
    /// acknowledgements (quick ACK).
    var fresh: Double
    /// Microseconds to open a connection and receive a first response of 1000 bytes.
    var setup: Double
    /// Kilobytes per connection after that, and at the end.
    var idle: Double
    var busy: Double
  }

  /// Sends 400,000 segments over a number of connections, each with 10 Mbit/s and 100 packets of queue.
  ///
  /// So a connection has the same work beside many others as alone. After opening, one unmeasured pass opens the
  /// congestion windows. Processor time is measured, so other programs do not count. The first measured pass gives the
  /// cost of fresh connections; the least of three more gives the steady state.
  private static func share(_ connections: Int) -> Shared {
    let link = LinkConditions(
      rate: .megabitsPerSecond(10 * Double(connections)), delay: .milliseconds(10), queue: 100 * connections)
    var path = PathSimulator(seed: 1, schedule: ConditionSchedule(PathConditions(down: link, up: link)))
    let before = residentKilobytes()
    let start = processorSeconds()
    _ = requests(connections, of: 1_000, over: &path)
    let opened = processorSeconds() - start
    let idle = residentKilobytes() - before
    let bytes = 400_000 * 1_448 / Int64(connections)
    _ = requests(connections, of: bytes, over: &path)
    let times = (0..<4).map { _ in
      let start = processorSeconds()
      let segments = requests(connections, of: bytes, over: &path)
      return (processorSeconds() - start) / Double(segments) * 1e9
    }
    return Shared(
      nanoseconds: times.dropFirst().min() ?? .nan, fresh: times[0], setup: opened / Double(connections) * 1e6,
      idle: max(0, idle) / Double(connections), busy: max(0, residentKilobytes() - before) / Double(connections))
  }

  /// Makes one request per host, waits for all responses and returns the number of segments.
  private static func requests(_ hosts: Int, of bytes: Int64, over path: inout PathSimulator) -> Int64 {
    var streams: [StreamID] = []
    for number in 0..<hosts {
      let stream = path.open(StreamRequest(key: UInt64(number), host: "h\(number)", port: 80))
      path.write(100, .up, on: stream, finishing: true)
      streams.append(stream)
    }
    let done = run(&path, answering: bytes)
    precondition(done == hosts)
    return streams.reduce(0) { $0 + path.statistics(of: $1).down.packets }
  }

  private static func residentKilobytes() -> Double {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
      let pages = text.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
    else { return .nan }
    return pages * 4
  }

  /// A 100 KB GET under 3G with 1 % loss, over 10,000 seeds and all cores.
  private static func sweep() {
    let down = LinkConditions(
      rate: .kilobitsPerSecond(780), delay: .milliseconds(100), loss: .independent(.percent(1)))
    let up = LinkConditions(rate: .kilobitsPerSecond(330), delay: .milliseconds(100), loss: .independent(.percent(1)))
    let schedule = ConditionSchedule(PathConditions(down: down, up: up))
    let start = seconds()
    let total = Mutex<Int64>(0)
    DispatchQueue.concurrentPerform(iterations: 100) { part in
      var sum: Int64 = 0
      for seed in part * 100..<part * 100 + 100 {
        var path = PathSimulator(seed: UInt64(seed), schedule: schedule)
        let stream = path.open(StreamRequest(key: 1, host: "h", port: 80))
        path.write(100, .up, on: stream, finishing: true)
        _ = run(&path, answering: 100_000)
        sum &+= path.now.nanoseconds
      }
      total.withLock { $0 &+= sum }
    }
    let mean = Double(total.withLock { $0 }) / 1e4 / 1e9
    report(
      "10,000 seeds of a 100 KB GET, 3G, 1 % loss", "\((seconds() - start).fixed(2)) s (mean \(mean.fixed(3)) s)",
      goal: "2 s")
  }
}

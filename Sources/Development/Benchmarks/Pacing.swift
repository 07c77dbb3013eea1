import Internals
import NetworkConditions
import URLLoading

/// A 10 s transfer in real time: compares when bytes are delivered with when they arrive in the simulation.
enum Pacing {
  static func run() async throws {
    let network = SimulatedNetwork("3G", seed: 7)
    network.stub("/file", with: .bytes(count: 900_000))
    let seen = Mutex<[(bytes: Int64, time: SimulatedInstant)]>([])
    let delegate = CountingDelegate { sum in
      let now = network.now
      seen.withLock { $0.append((sum, now)) }
    }
    let session = URLSession(configuration: network.sessionConfiguration, delegate: delegate, delegateQueue: nil)
    guard let url = URL(string: "http://pacing.example/file") else { return }
    session.dataTask(with: url).resume()
    _ = try await delegate.end()
    let end = network.now
    let timeline = network.timeline
    var arrivals: [Int64: SimulatedInstant] = [:]
    for event in timeline.events {
      if case .received(let bytes, _) = event.kind { arrivals[bytes] = event.time }
    }
    let late = seen.withLock { $0 }.compactMap { piece in
      arrivals[piece.bytes].map { Double($0.duration(to: piece.time).wholeNanoseconds) / 1e6 }
    }
    guard let transfer = timeline.transfers.first, let finished = transfer.ended else { return }
    let total = Double(transfer.elapsed.wholeNanoseconds) / 1e9
    let real = Double(transfer.started.duration(to: end).wholeNanoseconds) / 1e9
    report("pieces handed over", "\(late.count) in \(total.fixed(2)) s")
    report("behind the simulated arrival, median", "\(late.median.fixed(2)) ms", goal: "-20 to 50 ms")
    report(
      "behind, 99th percentile and worst", "\(late.quantile(0.99).fixed(2)) ms, \((late.max() ?? .nan).fixed(2)) ms")
    report("ahead, worst", "\(max(0, -(late.min() ?? 0)).fixed(2)) ms")
    report(
      "total, real against simulated", "\(((real / total - 1) * 100).fixed(2)) % (\(finished))", goal: "within 1 %")
  }
}

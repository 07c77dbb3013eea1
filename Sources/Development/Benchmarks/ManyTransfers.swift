import Internals
import NetworkConditions
import URLLoading

/// The memory of 5000 open tasks, compared with a bare protocol class holding as many.
enum ManyTransfers {
  static let count = 5000

  static func run() async throws {
    let bare = try Child.collect(["bare-transfers"])
    let simulated = try Child.collect(["simulated-transfers"])
    guard let one = bare.last.flatMap(Double.init), let other = simulated.last.flatMap(Double.init) else { return }
    report("transfers that ended", "\(simulated[0]) of \(count), in \(simulated[1]) s", goal: "all")
    report(
      "peak memory", "\(other.fixed(1)) MB against \(one.fixed(1)) MB: \((other / one).fixed(2))", goal: "at most 1.5")
  }

  /// Holds every task open without a response.
  final class HoldingProtocol: URLProtocol {
    static let held = Mutex<Int>(0)

    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func startLoading() { Self.held.withLock { $0 += 1 } }
    override func stopLoading() {}
  }

  static func bare() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [HoldingProtocol.self]
    let session = URLSession(configuration: configuration)
    let tasks = (0..<count).compactMap { number in
      URL(string: "https://api.example.com/items/\(number)").map { url in
        session.dataTask(with: url) { _, _, _ in }
      }
    }
    for task in tasks { task.resume() }
    while HoldingProtocol.held.withLock({ $0 }) < count { try await Task.sleep(for: .milliseconds(20)) }
    print(count, 0, peakMegabytes())
  }

  static func simulated() async throws {
    let network = SimulatedNetwork("3G", seed: 1)
    network.stub("https://api.example.com/items/*", with: .text("an item"))
    let session = URLSession(configuration: network.sessionConfiguration)
    let start = seconds()
    let ended = Mutex<Int>(0)
    for number in 0..<count {
      guard let url = URL(string: "https://api.example.com/items/\(number)") else { continue }
      session.dataTask(with: url) { _, _, error in
        if error == nil { ended.withLock { $0 += 1 } }
      }.resume()
    }
    while ended.withLock({ $0 }) < count, seconds() - start < 55 { try await Task.sleep(for: .milliseconds(50)) }
    print(ended.withLock { $0 }, (seconds() - start).fixed(1), peakMegabytes())
  }
}

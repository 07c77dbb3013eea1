import NetworkConditions
import URLLoading

/// The memory that finished requests and simulations keep, each in a child process, after N, 2 N and 3 N.
enum Soak {
  /// More than the timeline's limit of 100,000 transfers.
  static let requestCount = 150_000
  static let simulationCount = 3_000

  static func run() async throws {
    try show("requests of one network", requestCount, ["soak-requests", "same"], goal: "flat")
    try show(
      "the same, each with a URL of its own", requestCount, ["soak-requests", "fresh"],
      goal: "32 to 64 bytes a URL in all, by doublings")
    try show("simulations with a session, left early", simulationCount, ["soak-simulations"], goal: "1 KB each")
  }

  private static func show(_ what: String, _ count: Int, _ child: [String], goal: String) throws {
    let sizes = try Child.collect(child).compactMap(Double.init)
    guard sizes.count == 3 else { return report(what, "did not end") }
    let each = (sizes[2] - sizes[1]) * 1_048_576 / Double(count)
    report(
      what,
      "\(sizes.map { $0.fixed(1) }.joined(separator: ", ")) MB after \(count), twice and three times as many: "
        + "\(each.fixed(0)) bytes each", goal: goal)
  }

  /// Half of the requests time out before their response.
  static func requests(isFresh: Bool) async throws {
    let network = SimulatedNetwork("wifi", seed: 1, pace: .immediate)
    network.stub("/now/**", with: .text("x"))
    network.stub("/late/**", with: .text("x").after(.seconds(10)))
    for number in 0..<3 * requestCount {
      let name = isFresh ? "item-\(number)" : "item"
      let path = number.isMultiple(of: 2) ? "now" : "late"
      guard let url = URL(string: "https://api.example.com/\(path)/\(name)") else { return }
      var request = URLRequest(url: url)
      request.timeoutInterval = 1
      _ = try? await network.data(for: request)
      if (number + 1).isMultiple(of: requestCount) { print(currentMegabytes()) }
    }
  }

  static func simulations() async throws {
    guard let url = URL(string: "https://api.example.com/late") else { return }
    var request = URLRequest(url: url)
    request.timeoutInterval = 1
    let impatient = request
    for number in 0..<3 * simulationCount {
      _ = try await Simulation("flaky", seed: UInt64(number)) { network in
        network.stub("/**", with: .text("x").after(.seconds(10)))
        _ = try? await network.session.data(for: impatient, delegate: nil)
      }
      if (number + 1).isMultiple(of: simulationCount) { print(currentMegabytes()) }
    }
  }
}

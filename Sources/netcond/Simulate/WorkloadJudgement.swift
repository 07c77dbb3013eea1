import LinkSimulator

/// How far the simulated runs of a workload are from the measured ones.
struct WorkloadJudgement {
  let name: String
  let kind: String
  /// The medians of the whole workload's time, in seconds.
  let measured: Double
  let simulated: Double
  /// The relative errors of the median times, of the whole workload and of each request.
  let error: Double
  let requestErrors: [Double]
  /// Whether a statistical test finds no difference from the measured times, for the whole workload and for each request.
  let isAlike: Bool
  let requestsAlike: [Bool]
  /// Kendall's tau-b of the order in which requests that begin together end; `nil` for kinds without an order.
  let order: Double?

  /// Kinds that compare the durations of requests instead of their end times.
  private static let tookKinds = ["beside", "idle", "pingpong", "close", "expect", "upload", "down-beside-up"]
  private static let orderKind = "mixed"
  /// Errors of shorter times are relative to this time, in seconds.
  private static let least = 0.005

  /// Judges a case by the finishing times of each simulated run, in seconds; `nil` when it was not measured.
  init?(_ item: WorkloadCase, _ runs: [[Double]]) {
    guard !item.runs.isEmpty, !runs.isEmpty else { return nil }
    name = item.name
    kind = item.kind
    let totals = [item.runs, runs].map { $0.map { $0.max() ?? .infinity } }
    measured = Measurement.median(totals[0]) ?? .infinity
    simulated = Measurement.median(totals[1]) ?? .infinity
    error = Self.error(simulated, measured)
    isAlike = Measurement(samples: totals[0]).resembles(totals[1])
    let took = Self.tookKinds.contains { item.kind.hasPrefix($0) }
    let requests = item.workload.requests
    let pairs = requests.indices.map { place in
      [item.runs, runs].map { $0.map { $0[place] - (took ? Self.start(of: place, requests, $0) : 0) } }
    }
    let medians = pairs.map { $0.map { Measurement.median($0) ?? .infinity } }
    requestErrors = medians.map { Self.error($0[1], $0[0]) }
    requestsAlike = pairs.map { Measurement(samples: $0[0]).resembles($0[1]) }
    order = item.kind.hasPrefix(Self.orderKind) ? Self.order(requests, medians) : nil
  }

  var requestError: Double { Self.quantile(requestErrors.map { ($0, 1) }, 0.5) }
  var greatestError: Double { max(error, requestError) }

  private static func error(_ simulated: Double, _ measured: Double) -> Double {
    guard simulated.isFinite, measured.isFinite else { return simulated == measured ? 0 : 1 }
    return abs(simulated - measured) / max(measured, least)
  }

  private static func start(of place: Int, _ requests: [WorkloadScenario.Request], _ run: [Double]) -> Double {
    let request = requests[place]
    let ready = (request.after.map { run[$0] }.max() ?? 0) + request.wait / .seconds(1)
    // A request that never finished counts from the start.
    return run[place].isFinite ? max(ready, request.start / .seconds(1)) : 0
  }

  /// The weighted quantile: the first value up to which the weights add up to `share` of all.
  static func quantile(_ values: [(value: Double, weight: Double)], _ share: Double) -> Double {
    let whole = values.reduce(0) { $0 + $1.weight }
    var sum = 0.0
    let sorted = values.sorted { $0.value < $1.value }
    for entry in sorted {
      sum += entry.weight
      if sum >= share * whole - 1e-12 { return entry.value }
    }
    return sorted.last?.value ?? 0
  }

  /// Kendall's tau-b of the largest group of requests that begin together; times within 1 % or 1 ms are ties.
  private static func order(_ requests: [WorkloadScenario.Request], _ medians: [[Double]]) -> Double {
    let first = requests.indices.filter { requests[$0].start == .zero }
    let groups = Dictionary(grouping: first) { requests[$0].after }.values
    let members = groups.max { ($0.count, $1[0]) < ($1.count, $0[0]) } ?? []
    func sign(_ one: Double, _ other: Double) -> Double {
      abs(one - other) <= max(0.01 * max(one, other), 0.001) ? 0 : one > other ? 1 : -1
    }
    var (agreement, mine, theirs) = (0.0, 0.0, 0.0)
    for (place, one) in members.enumerated() {
      for other in members[..<place] {
        let signs = [0, 1].map { sign(medians[one][$0], medians[other][$0]) }
        agreement += signs[0] * signs[1]
        mine += abs(signs[0])
        theirs += abs(signs[1])
      }
    }
    guard mine > 0, theirs > 0 else { return mine == theirs ? 1 : 0 }
    return agreement / (mine * theirs).squareRoot()
  }
}

import LinkSimulator

/// One run of a page, with the causes of its duration.
struct PageRun {
  let workload: WorkloadScenario
  let outcome: WorkloadScenario.Outcome

  /// The chain of requests, by index, in which each waited for the previous one; empty if a request has not ended.
  var criticalPath: [Int] {
    guard outcome.total != nil, var place = outcome.times.indices.max(by: { end($0) < end($1) }) else { return [] }
    var path = [place]
    while let before = workload.requests[place].after.max(by: { end($0) < end($1) }),
      end(before) + workload.requests[place].wait >= workload.requests[place].start
    {
      path.insert(before, at: 0)
      place = before
    }
    return path
  }

  /// How long the critical path took, by cause: pauses between requests, connections, first bytes, and the rest of
  /// answers.
  var shares: (pauses: Duration, connections: Duration, answers: Duration, bodies: Duration) {
    var shares = (pauses: Duration.zero, connections: Duration.zero, answers: Duration.zero, bodies: Duration.zero)
    var before = Duration.zero
    for place in criticalPath {
      guard let times = outcome.times[place].stages else { continue }
      shares.pauses += times.begun - before
      shares.connections += times.sent - times.begun
      shares.answers += times.answered - times.sent
      shares.bodies += times.finished - times.answered
      before = times.finished
    }
    return shares
  }

  /// The indices of the most important requests, in order: those of the critical path, then the longest.
  func telling(_ count: Int) -> [Int] {
    let path = criticalPath
    let others = outcome.times.indices.filter { !path.contains($0) }.sorted { took($0) > took($1) }
    return (path.suffix(count) + others).prefix(count).sorted()
  }

  private func end(_ place: Int) -> Duration { outcome.times[place].finished ?? workload.limit }

  private func took(_ place: Int) -> Duration { end(place) - (outcome.times[place].begun ?? .zero) }
}

extension WorkloadScenario.Times {
  /// When each stage of a request began, and when the request ended; `nil` while it has not.
  var stages: (begun: Duration, sent: Duration, answered: Duration, finished: Duration)? {
    guard let begun, let finished else { return nil }
    return (begun, sent ?? begun, answered ?? finished, finished)
  }
}

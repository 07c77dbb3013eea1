import LinkSimulator

struct PageChange {
  let words: String
  let workload: WorkloadScenario

  static func all(of workload: WorkloadScenario) -> [PageChange] {
    func changed(_ words: String, _ change: (inout WorkloadScenario) -> Void) -> PageChange {
      var copy = workload
      change(&copy)
      return PageChange(words: words, workload: copy)
    }
    func each(_ workload: inout WorkloadScenario, _ change: (inout WorkloadScenario.Request) -> Void) {
      for place in workload.requests.indices { change(&workload.requests[place]) }
    }
    let hosts = Set(workload.requests.map(\.host)).count
    var changes: [PageChange] = []
    for client in [WorkloadScenario.Client.http2, .http3] where client != workload.client {
      let words = "\(client.words)\(workload.client == .http1 ? " with TLS" : "") instead of \(workload.client.words)"
      changes.append(changed(words) { $0.client = client })
    }
    if hosts > 1 {
      changes.append(
        changed("one host instead of \(hosts)") { workload in
          let host = workload.requests[0].host
          each(&workload) { $0.host = host }
        })
    }
    changes.append(changed("bodies half as large") { each(&$0) { $0.responseBytes /= 2 } })
    if workload.requests.contains(where: { !$0.after.isEmpty || $0.start > .zero }) {
      changes.append(
        changed("all requested at the start") { each(&$0) { ($0.after, $0.wait, $0.start) = ([], .zero, .zero) } })
    }
    return changes
  }
}

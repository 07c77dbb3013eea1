package import LinkSimulator
import URLLoading

extension ProxiedNetwork {
  package var profile: NetworkProfile { paths.profile }

  /// The present phase's name, or `offline (refuse)` or `offline (drop)` in an outage.
  package var conditionName: String { paths.conditionName(at: time) }

  package var outage: PathConditions.Outage? { paths.outage }

  package mutating func use(_ profile: NetworkProfile) {
    paths.use(profile, at: time)
    record(.conditionsChanged(profile.name), of: nil)
    refresh()
  }

  package mutating func setOutage(_ outage: PathConditions.Outage?) {
    paths.setOutage(outage, at: time)
    record(.conditionsChanged(outage.map { "offline (\($0.rawValue))" } ?? paths.profile.name), of: nil)
    refresh()
  }

  package mutating func addPath(_ profile: NetworkProfile) -> Int {
    let path = paths.add(profile, from: paths.started, at: time)
    refresh()
    return path
  }

  package func profile(on path: Int) -> NetworkProfile { paths.entries[path].profile }

  /// Whether no packet is on its way over a path.
  package mutating func isEmpty(_ path: Int) -> Bool { paths.entries[path].change { $0.isEmpty } }

  package mutating func use(_ profile: NetworkProfile, on path: Int) {
    paths.use(profile, on: path, at: time)
    refresh()
  }

  mutating func refresh() {
    for path in paths.indices {
      paths.advance(path, to: time)
      drain(path)
    }
  }

  package mutating func snapshot() -> Timeline {
    var running: [Transfer] = []
    for exchange in exchanges.values {
      var transfer = exchange.transfer
      if let connection = exchange.connection, let carrier = self[connection] {
        transfer.wire = paths.statistics(of: carrier.stream, on: carrier.path).since(exchange.statistics)
      }
      running.append(transfer)
    }
    return Timeline(timeline, running: running, over: &paths, at: time, redaction: identities.redaction)
  }

  package var recordsPackets: Bool {
    get { paths.recordsPackets }
    set { paths.recordsPackets = newValue }
  }

  /// The rule for secrets in texts; set it before the first exchange.
  package var redaction: Redaction {
    get { identities.redaction }
    set { identities.redaction = newValue }
  }

  /// Starts collecting events for ``takeEvents()``, after the events of an earlier network in `before`.
  package mutating func observeEvents(after before: [NetworkEvent] = []) {
    unseen = before + (unseen ?? [])
  }

  package mutating func takeEvents() -> [NetworkEvent] {
    guard let events = unseen, !events.isEmpty else { return [] }
    unseen = []
    return events
  }

  mutating func record(_ kind: NetworkEvent.Kind, of exchange: Int?) {
    timeline.record(kind, at: time, transfer: exchange)
    unseen?.append(NetworkEvent(time: time, transfer: exchange, kind: kind))
  }

  package static var emptyTimeline: Timeline {
    var network = ProxiedNetwork(profile: .unlimited, seed: 0)
    return network.snapshot()
  }
}

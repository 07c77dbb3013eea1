import Internals
import LinkSimulator
import NetworkConditions
import TimelineReports

struct ProxyReport {
  let timeline: Timeline
  let traces: [String]

  private var transfers: [Transfer] { timeline.transfers }
  private var failed: Int { transfers.count(where: \.isFailure) }
  private var cancelled: Int { transfers.count { $0.outcome == .cancelled } }
  /// The transfers of each network, in the order of their first transfer.
  private var networks: [(name: String, transfers: [Transfer])] {
    Dictionary(grouping: transfers, by: \.profile).map { ($0.key, $0.value) }.sorted { $0.1[0].number < $1.1[0].number }
  }

  var json: JSON {
    let total = transfers.wire
    return [
      "profile": .string(timeline.profile), "seed": .integer(timeline.seed),
      "transfers": .integer(transfers.count + timeline.droppedTransfers), "failed": .integer(failed),
      "cancelled": .integer(cancelled),
      "bytes_down": .integer(transfers.bytesReceived), "bytes_up": .integer(transfers.bytesSent),
      "packets": .integer(total.up.packets + total.down.packets), "lost": .integer(total.up.lost + total.down.lost),
      "retransmissions": .integer(total.up.retransmissions + total.down.retransmissions),
      "networks": .array(
        networks.map { name, transfers in
          [
            "profile": .string(name), "transfers": .integer(transfers.count),
            "bytes_down": .integer(transfers.bytesReceived), "bytes_up": .integer(transfers.bytesSent),
          ]
        }),
      "traces": .array(traces.map { .string($0) }),
    ]
  }

  var lines: [String] {
    let total = transfers.wire
    var lines = [
      "\(FigureText.count(transfers.count + timeline.droppedTransfers, "transfer")), \(failed) failed\(cancelled > 0 ? ", \(cancelled) cut off" : ""), in "
        + "\(Amounts.time(SimulatedInstant.zero.duration(to: timeline.time))) of profile \(timeline.profile.printable), seed "
        + "\(timeline.seed)",
      "\(Amounts.bytes(transfers.bytesReceived)) down, \(Amounts.bytes(transfers.bytesSent)) up; "
        + "\(FigureText.count(total.up.packets + total.down.packets, "packet")), "
        + "\(total.up.lost + total.down.lost) lost, "
        + "\(total.up.retransmissions + total.down.retransmissions) sent again",
    ]
    // A profile's rules, and the proxies of toxiproxy's API, have separate networks.
    for (name, transfers) in networks where networks.count > 1 || name != timeline.profile {
      lines.append(
        "over \(name.printable): \(FigureText.count(transfers.count, "transfer")), "
          + "\(Amounts.bytes(transfers.bytesReceived)) down, \(Amounts.bytes(transfers.bytesSent)) up")
    }
    lines += traces.map { "saved \($0.printable)" }
    return lines
  }
}

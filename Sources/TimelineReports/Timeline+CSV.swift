import Internals
public import NetworkConditions

/// Tables of comma-separated values (RFC 4180): a heading, then the rows.
///
/// Each line ends with a carriage return and a line feed. Times are in seconds of virtual time. Unknown values are empty.
extension Timeline {
  /// The transfers as comma-separated values, one in each row.
  public var transferCSV: String {
    row(transferColumns.map(\.name))
      + transfers.map { transfer in row(transferColumns.map { $0.value(transfer) }) }.joined()
  }

  /// The events as comma-separated values, one in each row.
  ///
  /// `bytes` and `total` count bytes of bodies, and `direction` is that of a packet. `detail` has the rest: the URL,
  /// the status, the reason of a loss or of a retransmission, the fault, the name of a phase or of an error.
  public var eventCSV: String {
    var text = "time_s,transfer,event,direction,bytes,total,detail\r\n"
    for event in events {
      let words = EventWords(event.kind)
      text += row([
        seconds(event.time), number(event.transfer), words.name, words.direction?.rawValue ?? "", number(words.bytes),
        number(words.total), words.detail.csvField,
      ])
    }
    return text
  }

  /// The packet records as comma-separated values, one in each row; `PacketRecord` explains the columns.
  ///
  /// Without `SimulatedNetwork.recordsPackets` there is only the heading.
  public var packetCSV: String {
    var text =
      "time_s,profile,host,port,connection,direction,event,reason,first_byte,length,acknowledged,congestion_window,"
      + "in_flight,queue\r\n"
    for path in packets {
      for record in path.log.records { text += packetRow(record, path) }
    }
    return text
  }
}

private let transferColumns: [(name: String, value: @Sendable (Transfer) -> String)] = [
  ("number", { "\($0.number)" }), ("client", { number($0.client) }),
  ("method", { $0.method.csvField }), ("url", { $0.shownURL.csvField }),
  ("occurrence", { "\($0.occurrence)" }), ("profile", { $0.profile.csvField }),
  ("connection", { number($0.wire.connection) }),
  ("reused", { $0.connected == nil ? "" : $0.reusedConnection ? "yes" : "no" }),
  ("status", { number($0.status) }), ("outcome", { $0.outcomeWord }), ("error", { $0.errorName }),
  ("started_s", { seconds($0.started) }), ("resolved_s", { seconds($0.resolved) }),
  ("connected_s", { seconds($0.connected) }), ("secured_s", { seconds($0.secured) }),
  ("request_sent_s", { seconds($0.requestSent) }), ("request_received_s", { seconds($0.requestReceived) }),
  ("first_byte_s", { seconds($0.firstByte) }), ("ended_s", { seconds($0.ended) }),
  ("bytes_sent", { "\($0.bytesSent)" }), ("bytes_received", { "\($0.bytesReceived)" }),
  ("bytes_expected", { number($0.bytesExpected) }),
  ("packets_up", { "\($0.wire.up.packets)" }), ("packets_down", { "\($0.wire.down.packets)" }),
  ("wire_bytes_up", { "\($0.wire.up.bytes)" }), ("wire_bytes_down", { "\($0.wire.down.bytes)" }),
  ("lost_up", { "\($0.wire.up.lost)" }), ("lost_down", { "\($0.wire.down.lost)" }),
  ("retransmissions_up", { "\($0.wire.up.retransmissions)" }),
  ("retransmissions_down", { "\($0.wire.down.retransmissions)" }), ("stalls", { "\($0.stalls)" }),
  ("http_version", { $0.version.rawValue }), ("fell_back_s", { seconds($0.fellBack) }),
  ("repetition", { $0.repetition?.rawValue ?? "" }),
]

private func packetRow(_ record: PacketRecord, _ path: PathPackets) -> String {
  let connection = path.log.connections[Int(record.connection)]
  let (event, reason) =
    switch record.kind {
    case .sent: ("sent", "")
    case .retransmitted: ("retransmitted", "")
    case .arrived: ("arrived", "")
    case .lost(let reason): ("lost", EventWords.reason(reason))
    }
  return row([
    seconds(record.time), path.profile.csvField, connection.host.csvField, "\(connection.port)",
    "\(connection.number)", record.direction.rawValue, event, reason, "\(record.firstByte)", "\(record.length)",
    "\(record.acknowledged)", "\(record.congestionWindow)", "\(record.inFlight)", "\(record.queue)",
  ])
}

private func row(_ fields: [String]) -> String { fields.joined(separator: ",") + "\r\n" }

private func number(_ value: (some BinaryInteger)?) -> String { value.map { "\($0)" } ?? "" }

private func seconds(_ time: SimulatedInstant?) -> String {
  time.map { DecimalText.of($0.nanoseconds, places: 9) } ?? ""
}

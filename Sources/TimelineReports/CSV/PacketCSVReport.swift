import Internals
public import NetworkConditions

/// A timeline's packets as comma-separated values (RFC 4180): one row for each thing that happened to one.
///
/// Without `SimulatedNetwork.recordsPackets` there is only the heading. `PacketRecord` says what each column means.
public struct PacketCSVReport: Sendable {
  private let timeline: Timeline

  /// Creates the table of a timeline.
  public init(_ timeline: Timeline) {
    self.timeline = timeline
  }

  /// The rows, a heading first, each ended by a carriage return and a line feed.
  public var text: String {
    var text =
      "time_s,profile,host,port,connection,direction,event,reason,first_byte,length,acknowledged,congestion_window,"
      + "in_flight,queue\r\n"
    for path in timeline.packets {
      for record in path.log.records { text += Self.row(record, path) }
    }
    return text
  }

  private static func row(_ record: PacketRecord, _ path: PathPackets) -> String {
    let connection = path.log.connections[Int(record.connection)]
    let (event, reason) =
      switch record.kind {
      case .sent: ("sent", "")
      case .retransmitted: ("retransmitted", "")
      case .arrived: ("arrived", "")
      case .lost(let reason): ("lost", EventWords.reason(reason))
      }
    let fields = [
      DecimalText.of(record.time.nanoseconds, places: 9), path.profile.csvField,
      connection.host.csvField, "\(connection.port)", "\(connection.number)", record.direction.rawValue, event,
      reason, "\(record.firstByte)", "\(record.length)", "\(record.acknowledged)", "\(record.congestionWindow)",
      "\(record.inFlight)", "\(record.queue)",
    ]
    return fields.joined(separator: ",") + "\r\n"
  }
}

import Internals
public import NetworkConditions

/// A timeline's transfers as comma-separated values (RFC 4180): one row for each, times in seconds of the network.
///
/// A time or figure that did not come about or is not known is empty. A password in a URL is left out.
public struct TransferCSVReport: Sendable {
  private let timeline: Timeline

  /// Creates the table of a timeline.
  public init(_ timeline: Timeline) {
    self.timeline = timeline
  }

  private static let columns: [(name: String, value: @Sendable (Transfer) -> String)] = [
    ("number", { "\($0.number)" }), ("client", { $0.client.map { "\($0)" } ?? "" }),
    ("method", { $0.method.csvField }), ("url", { $0.shownURL.csvField }),
    ("occurrence", { "\($0.occurrence)" }), ("profile", { $0.profile.csvField }),
    ("connection", { $0.wire.connection.map { "\($0)" } ?? "" }),
    ("reused", { $0.connected == nil ? "" : $0.reusedConnection ? "yes" : "no" }),
    ("status", { $0.status.map { "\($0)" } ?? "" }), ("outcome", { $0.outcomeWord }), ("error", { $0.errorName }),
    ("started_s", { seconds($0.started) }), ("resolved_s", { seconds($0.resolved) }),
    ("connected_s", { seconds($0.connected) }), ("secured_s", { seconds($0.secured) }),
    ("request_sent_s", { seconds($0.requestSent) }), ("request_received_s", { seconds($0.requestReceived) }),
    ("first_byte_s", { seconds($0.firstByte) }), ("ended_s", { seconds($0.ended) }),
    ("bytes_sent", { "\($0.bytesSent)" }), ("bytes_received", { "\($0.bytesReceived)" }),
    ("bytes_expected", { $0.bytesExpected.map { "\($0)" } ?? "" }),
    ("packets_up", { "\($0.wire.up.packets)" }), ("packets_down", { "\($0.wire.down.packets)" }),
    ("wire_bytes_up", { "\($0.wire.up.bytes)" }), ("wire_bytes_down", { "\($0.wire.down.bytes)" }),
    ("lost_up", { "\($0.wire.up.lost)" }), ("lost_down", { "\($0.wire.down.lost)" }),
    ("retransmissions_up", { "\($0.wire.up.retransmissions)" }),
    ("retransmissions_down", { "\($0.wire.down.retransmissions)" }), ("stalls", { "\($0.stalls)" }),
  ]

  /// The rows, a heading first, each ended by a carriage return and a line feed.
  public var text: String {
    var text = Self.columns.map(\.name).joined(separator: ",") + "\r\n"
    for transfer in timeline.transfers {
      text += Self.columns.map { $0.value(transfer) }.joined(separator: ",") + "\r\n"
    }
    return text
  }

  private static func seconds(_ time: SimulatedInstant?) -> String {
    time.map { DecimalText.of($0.nanoseconds, places: 9) } ?? ""
  }
}

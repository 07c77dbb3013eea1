import Internals
public import NetworkConditions

/// A timeline's events as comma-separated values (RFC 4180): one row for each, times in seconds of the network.
public struct EventCSVReport: Sendable {
  private let timeline: Timeline

  /// Creates the table of a timeline.
  public init(_ timeline: Timeline) {
    self.timeline = timeline
  }

  /// The rows, a heading first, each ended by a carriage return and a line feed.
  ///
  /// `bytes` and `total` are those of bodies, `direction` that of a packet; `detail` is what else there is to say: the
  /// URL, the status, the reason of a loss or of a retransmission, the fault, the name of a phase or of an error.
  public var text: String {
    var text = "time_s,transfer,event,direction,bytes,total,detail\r\n"
    for event in timeline.events {
      let words = EventWords(event.kind)
      let fields = [
        DecimalText.of(event.time.nanoseconds, places: 9), event.transfer.map { "\($0)" } ?? "", words.name,
        words.direction?.rawValue ?? "", words.bytes.map { "\($0)" } ?? "", words.total.map { "\($0)" } ?? "",
        words.detail.csvField,
      ]
      text += fields.joined(separator: ",") + "\r\n"
    }
    return text
  }
}

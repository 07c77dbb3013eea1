import HTMLPages
import Internals
import NetworkConditions

/// The packets of one transfer as a time-sequence graph in the style of tcptrace.
///
/// Below it are the congestion window, the bytes in flight, and the queue.
struct PacketGraph {
  private let records: [PacketRecord]
  /// The drawn direction: the one that carries more bytes.
  private let direction: Direction
  private let bytes: ClosedRange<Int64>
  private let scale: TimeScale

  private static let (upper, lower) = (220.0, 80.0)

  /// Creates the graph of a connection's packets; `nil` when they carry no bytes.
  init?(_ records: [PacketRecord]) {
    let sent = records.filter { $0.isSending && $0.length > 0 }
    let down = sent.reduce(0) { $0 + ($1.direction == .down ? Int64($1.length) : 0) }
    let up = sent.reduce(0) { $0 + ($1.direction == .up ? Int64($1.length) : 0) }
    direction = down >= up ? .down : .up
    let wanted = direction
    let own = sent.filter { $0.direction == wanted }
    guard let first = records.first, let last = records.last, let low = own.map(\.firstByte).min(),
      let high = own.map(\.end).max()
    else { return nil }
    self.records = records
    bytes = low...high
    let begin = first.time.nanoseconds
    scale = TimeScale(extent: begin...max(begin + 1_000, last.time.nanoseconds))
  }

  var text: String {
    """
    <div class="pk">\(legend)<div class="plot seq">\(drawing(sequence, height: Self.upper))\(labels(byteAxis) { number in
      FigureText.bytes(number)
    })</div><div class="plot win">\(drawing(window, height: Self.lower))\(labels(segmentAxis) { FigureText.digits($0) })</div>\
    <div class="plot ax">\(scale.labels(6))</div></div>
    """
  }

  private var byteAxis: Axis {
    Axis(Double(bytes.lowerBound)...Double(bytes.upperBound), from: Self.upper, to: 4)
  }

  private var sequence: String {
    let axis = byteAxis
    var (sent, again, lost): (Strokes, Strokes, Strokes) = (Strokes(), Strokes(), Strokes())
    var acknowledged = Steps()
    for record in records {
      let x = scale.x(record.time.nanoseconds)
      if record.direction != direction {
        if record.kind == .arrived {
          let known = max(bytes.lowerBound, min(bytes.upperBound, record.acknowledged))
          acknowledged.add(x, Markup.point(axis(Double(known))))
        }
        continue
      }
      guard record.length > 0 else { continue }
      let (low, high) = (axis(Double(record.firstByte)), axis(Double(record.end)))
      switch record.kind {
      case .sent: sent.add(x, low, high)
      case .retransmitted: again.add(x, low, high)
      case .lost: lost.add(x, low, high)
      case .arrived: break
      }
    }
    return acknowledged.path("pa") + sent.path("ps") + lost.path("pl") + again.path("pr")
  }

  private var segmentAxis: Axis {
    let most = records.map { max($0.congestionWindow, $0.inFlight, isQueue($0) ? $0.queue : 0) }.max() ?? 1
    return Axis(0...max(1, Double(most)), from: Self.lower, to: 4)
  }

  /// Whether the record describes the queue of the drawn direction.
  private func isQueue(_ record: PacketRecord) -> Bool { record.direction == direction }

  private var window: String {
    let axis = segmentAxis
    var (window, flight, queue) = (Steps(), Steps(), Steps())
    for record in records {
      let x = scale.x(record.time.nanoseconds)
      // A record has the state of the drawn direction's sender if this end sent the packet or received it.
      if (record.direction == direction) == (record.kind != .arrived) {
        window.add(x, Markup.point(axis(Double(record.congestionWindow))))
        flight.add(x, Markup.point(axis(Double(record.inFlight))))
      }
      if isQueue(record) { queue.add(x, Markup.point(axis(Double(record.queue)))) }
    }
    return flight.area("pf", bottom: Markup.point(Self.lower)) + queue.path("pq") + window.path("pw")
  }

  private func drawing(_ content: String, height: Double) -> String {
    let grid = scale.ticks(6).map { "M\(scale.x($0.time)) 0V\(Markup.point(height))" }.joined()
    return "<svg viewBox=\"0 0 1000 \(Markup.point(height))\" preserveAspectRatio=\"none\">"
      + "<path class=\"grid\" d=\"\(grid)\"/>\(content)</svg>"
  }

  private func labels(_ axis: Axis, _ text: (Double) -> String) -> String {
    axis.ticks(4).map { tick in
      let share = TimeScale.percent(axis(tick) / axis.begin)
      return "<span class=\"y\" style=\"top:\(share)\">\(text(tick))</span>"
    }.joined()
  }

  private var legend: String {
    let way = direction == .down ? "to the client" : "to the server"
    let entries = [
      ("ps", "M15 2v16", "bytes sent \(way), by the sender's clock"), ("pr", "M15 2v16", "sent again"),
      ("pl", "M15 2v16", "lost"), ("pa", "M0 16H15V6H30", "acknowledged"),
      ("pw", "M0 5H30", "congestion window, segments"), ("pf", "M0 20V8H30V20z", "in flight"),
      ("pq", "M0 12H30", "queue, packets"),
    ]
    return Legend.list(entries.map { (Markup.drawing($0, $1), $2) }, "legend")
  }
}

extension PacketRecord {
  fileprivate var end: Int64 { firstByte + Int64(length) }

  fileprivate var isSending: Bool { kind == .sent || kind == .retransmitted }
}

/// Vertical lines that are merged where they touch.
private struct Strokes {
  private var text = ""
  private var last: (x: String, low: Double, high: Double)?

  mutating func add(_ x: String, _ low: Double, _ high: Double) {
    if let last, last.x == x, abs(last.high - low) < 0.05 {
      self.last = (x, last.low, high)
      return
    }
    flush()
    last = (x, low, high)
  }

  private mutating func flush() {
    guard let last else { return }
    // Even the shortest line is visible.
    text += "M\(last.x) \(Markup.point(last.low))V\(Markup.point(min(last.high, last.low - 1)))"
    self.last = nil
  }

  func path(_ role: String) -> String {
    var whole = self
    whole.flush()
    return Markup.drawing(role, whole.text)
  }
}

private struct Steps {
  private var points: [(x: String, y: String)] = []

  mutating func add(_ x: String, _ y: String) {
    if points.last?.x == x {
      points[points.count - 1].y = y
    } else if points.last?.y != y {
      points.append((x, y))
    }
  }

  private var line: String {
    points.dropFirst().map { "H\($0.x)V\($0.y)" }.joined() + "H1000"
  }

  func path(_ role: String) -> String {
    Markup.drawing(role, points.first.map { "M\($0.x) \($0.y)\(line)" } ?? "")
  }

  func area(_ role: String, bottom: String) -> String {
    Markup.drawing(role, points.first.map { "M\($0.x) \(bottom)V\($0.y)\(line)V\(bottom)z" } ?? "")
  }
}

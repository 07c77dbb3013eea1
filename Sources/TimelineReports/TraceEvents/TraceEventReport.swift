public import NetworkConditions

/// A timeline as trace events in JSON, which Perfetto (ui.perfetto.dev) and chrome://tracing open.
///
/// One process stands for the network, with phases, rate and throughput. Each client is another process, with a track
/// for each simultaneous transfer. Times are in microseconds of virtual time, exact to the nanosecond.
public struct TraceEventReport: Sendable {
  private let timeline: Timeline

  /// Creates the trace of a timeline.
  public init(_ timeline: Timeline) {
    self.timeline = timeline
  }

  /// The trace as a JSON object with one event on each line; equal timelines give equal texts.
  public var text: String {
    let facts = [
      ("profile", timeline.profile), ("seed", "\(timeline.seed)"), ("transfers", "\(timeline.transfers.count)"),
      ("droppedTransfers", "\(timeline.droppedTransfers)"), ("droppedEvents", "\(timeline.droppedEvents)"),
    ].map { "\(JSONValue.quoted($0)):\(JSONValue.quoted($1))" }
    let lanes = Lanes(timeline.transfers, until: timeline.time)
    let events = network + tracks(lanes) + timeline.transfers.flatMap { slices($0, lanes) } + instants(lanes)
    return """
      {"displayTimeUnit":"ms","otherData":{\(facts.joined(separator: ","))},"traceEvents":[
      \(events.map(\.json).joined(separator: ",\n"))
      ]}

      """
  }

  /// The number of the first process that stands for a client.
  private static let clients = TraceEvent.networkProcess + 1

  private var network: [TraceEvent] {
    let extent = timeline.extent
    let spans = timeline.conditionSpans(from: extent.lowerBound, to: extent.upperBound, limit: 2_000)
    let process = TraceEvent.networkProcess
    var events = [
      Self.name("process_name", "network: \(timeline.profile), seed \(timeline.seed)", process),
      Self.name("thread_name", "conditions", process, thread: 1),
    ]
    for span in spans {
      events.append(
        TraceEvent(
          kind: .complete, name: span.name, category: "conditions", time: span.start, length: span.end - span.start,
          process: process, thread: 1,
          arguments: [("profile", .string(span.profile)), ("conditions", .string(span.text))]))
    }
    // A counter cannot show "no limit", so it is drawn only if the link always has a limit.
    if !spans.contains(where: { $0.rate == nil }) {
      for span in spans { events.append(Self.counter("link rate", span.rate ?? 0, at: span.start)) }
    }
    let arrivals = Arrivals(timeline, in: extent, stretches: 400)
    var last: Double?
    for (index, rate) in arrivals.bitsPerSecond.enumerated() where rate != last {
      let time = extent.lowerBound + Int64(Double(index) * arrivals.width)
      events.append(Self.counter("throughput", rate, at: time))
      last = rate
    }
    if last != 0 { events.append(Self.counter("throughput", 0, at: extent.upperBound)) }
    return events
  }

  /// Creates a counter event in Mbit/s, rounded to a thousandth.
  private static func counter(_ name: String, _ bitsPerSecond: Double, at time: Int64) -> TraceEvent {
    TraceEvent(
      kind: .counter, name: "\(name) down", time: time, process: TraceEvent.networkProcess, thread: 0,
      arguments: [("Mbit/s", .number("\((bitsPerSecond / 1e3).rounded() / 1e3)"))])
  }

  private static func name(_ kind: String, _ text: String, _ process: Int, thread: Int = 0) -> TraceEvent {
    TraceEvent(kind: .metadata, name: kind, process: process, thread: thread, arguments: [("name", .string(text))])
  }

  // MARK: The clients

  private func tracks(_ lanes: Lanes) -> [TraceEvent] {
    zip(lanes.groups, lanes.counts).enumerated().flatMap { group, entry in
      let process = Self.clients + group
      let client = entry.0.map { "client \($0)" } ?? "transfers"
      return [Self.name("process_name", client, process)]
        + (1...max(1, entry.1)).map { Self.name("thread_name", "\(client), track \($0)", process, thread: $0) }
    }
  }

  private func slices(_ transfer: Transfer, _ lanes: Lanes) -> [TraceEvent] {
    guard let place = lanes.places[transfer.number] else { return [] }
    let url = URLPlace(transfer.shownURL)
    let whole = TraceEvent(
      kind: .complete, name: "\(transfer.method) \(url.path)", category: "transfer", time: transfer.started.nanoseconds,
      length: transfer.end(at: timeline.time) - transfer.started.nanoseconds, process: Self.clients + place.group,
      thread: place.lane + 1, arguments: facts(transfer, url))
    return [whole]
      + transfer.phases(until: timeline.time).map { phase in
        var slice = whole
        (slice.name, slice.category, slice.arguments) = (phase.kind.rawValue, "phase", [])
        slice.time = phase.start.nanoseconds
        slice.length = phase.end.nanoseconds - phase.start.nanoseconds
        return slice
      }
  }

  private func facts(_ transfer: Transfer, _ url: URLPlace) -> [(String, JSONValue)] {
    var facts: [(String, JSONValue)] = [
      ("url", .string(url.text)), ("number", .integer(transfer.number)), ("outcome", .string(transfer.outcomeWord)),
      ("protocol", .string(transfer.carrier)),
    ]
    if let repetition = transfer.repetition { facts.append(("again", .string(repetition.words))) }
    if !transfer.errorName.isEmpty { facts.append(("error", .string(transfer.errorName))) }
    if let status = transfer.status { facts.append(("status", .integer(status))) }
    if let connection = transfer.wire.connection { facts.append(("connection", .integer(connection))) }
    facts += [
      ("bytes received", .integer(transfer.bytesReceived)), ("bytes sent", .integer(transfer.bytesSent)),
      ("packets", .integer(transfer.wire.up.packets + transfer.wire.down.packets)),
      ("lost", .integer(transfer.wire.up.lost + transfer.wire.down.lost)),
      ("retransmissions", .integer(transfer.retransmissions)),
    ]
    return facts
  }

  private func instants(_ lanes: Lanes) -> [TraceEvent] {
    timeline.events.compactMap { event in
      guard let category = Self.category(of: event.kind) else { return nil }
      let words = EventWords(event.kind)
      var instant = TraceEvent(
        kind: .instant, name: words.name, category: category, time: event.time.nanoseconds,
        process: TraceEvent.networkProcess, thread: 1)
      if let transfer = event.transfer {
        guard let place = lanes.places[transfer] else { return nil }
        (instant.process, instant.thread) = (Self.clients + place.group, place.lane + 1)
      }
      if let direction = words.direction { instant.arguments.append(("direction", .string(direction.rawValue))) }
      if !words.detail.isEmpty { instant.arguments.append(("detail", .string(words.detail))) }
      return instant
    }
  }

  private static func category(of kind: NetworkEvent.Kind) -> String? {
    switch kind {
    case .packetLost: "loss"
    case .retransmitted, .stalled: "retransmission"
    case .fault: "fault"
    case .conditionsChanged, .pathChanged, .suspended, .resumed, .launched, .killed, .powerLost: "conditions"
    case .waitingForConnectivity: "fault"
    case .redirected, .repeated, .timedOut, .failed, .cancelled: "outcome"
    default: nil
    }
  }
}

import HTMLPages
import Internals
public import NetworkConditions

/// A timeline as one SVG picture, for a bug report or a slide: like ``TimelinePage``, but without interaction.
public struct TimelinePicture: Sendable {
  private let timeline: Timeline
  private let scale: TimeScale

  /// The most transfers that have a row; a sentence tells how many others there are.
  public static let rowLimit = 30

  /// Creates the picture of a timeline.
  public init(_ timeline: Timeline) {
    self.timeline = timeline
    scale = TimeScale(extent: timeline.extent)
  }

  private static let (width, left, right, margin) = (780.0, 190.0, 70.0, 16.0)
  private static let plot = width - left - right
  private static let (stripTop, stripHeight, rowHeight) = (58.0, 84.0, 20.0)
  private static let axisTop = stripTop + stripHeight + 16
  private static let rowsTop = axisTop + 10

  private static let style = """
    \(PageStyle.picture)
    \(TimelineStyle.palette)
    \(PageStyle.palette([("bad", "#a63d00", "#ff9d66")]))
    \(TimelineStyle.marks)
    svg svg { overflow: hidden; } path, rect { vector-effect: non-scaling-stroke; } .wrong { fill: var(--bad); font-weight: 600; }
    """

  /// The picture as SVG; equal timelines give equal pictures.
  public var text: String {
    let urls = timeline.transfers.map { URLPlace($0.shownURL) }
    let origins = Set(urls.map(\.origin))
    let title = PageHeader(timeline: timeline, origins: origins).title
    let (from, to) = (scale.extent.lowerBound, scale.extent.upperBound)
    let bands = timeline.conditionSpans(from: from, to: to, limit: 150)
    let strip = RateStrip(timeline, scale, bands)
    let labels = strip.labels.map { label in
      let y = Self.stripTop + label.place / RateStrip.whole * Self.stripHeight + 4
      return Markup.text(Self.left - 8, y, label.text, "tick", anchor: "end")
    }
    let grid = scale.ticks(7).map { "M\(scale.x($0.time)) 0V10" }.joined()
    let shown = timeline.transfers.prefix(Self.rowLimit)
    let rowsEnd = Self.rowsTop + Double(max(1, shown.count)) * Self.rowHeight
    let rows = shown.indices.map { row(timeline.transfers[$0], urls[$0], origins.count == 1) }
    let left = timeline.transfers.count - shown.count
    let more =
      left > 0 ? [Markup.text(Self.left, rowsEnd + 14, "and \(FigureText.count(left, "more transfer"))", "tick")] : []
    let legend = legend(Legend(timeline: timeline, hiddenLimit: strip.hiddenLimit, spans: bands), rowsEnd + 34)
    let height = legend.end + Self.margin
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Markup.point(Self.width)) \(Markup.point(height))" role="img" \
      aria-labelledby="title">
      <title id="title">\(Markup.escaped(title))</title>
      <style>
      \(Self.style)
      </style>
      \(Markup.box(0.5, 0.5, Self.width - 1, height - 1, "paper", rounding: 8))
      \(Markup.text(Self.margin, 26, title, "name"))
      \(names(bands))
      \(drawing(Self.stripTop, Self.stripHeight, of: RateStrip.whole, strip.drawing))
      \(labels.joined())
      \(axis)
      \(drawing(Self.rowsTop, rowsEnd - Self.rowsTop, of: 10, "\(Bands.shading(bands, scale, height: 10))\(Markup.drawing("grid", grid))"))
      \((rows.enumerated().map { $1(Self.rowsTop + Double($0) * Self.rowHeight) } + more + legend.marks).joined(separator: "\n"))
      </svg>

      """
  }

  private func drawing(_ top: Double, _ height: Double, of units: Double, _ content: String) -> String {
    """
    <svg x="\(Markup.point(Self.left))" y="\(Markup.point(top))" width="\(Markup.point(Self.plot))" \
    height="\(Markup.point(height))" viewBox="0 0 1000 \(Markup.point(units))" preserveAspectRatio="none">\(content)</svg>
    """
  }

  private func place(_ time: Int64) -> Double { Self.left + scale.place(time) / 1000 * Self.plot }

  private var axis: String {
    scale.ticks(7).map { Markup.text(place($0.time), Self.axisTop, $0.label, "tick", anchor: "middle") }.joined()
  }

  private func names(_ bands: [ConditionSpan]) -> String {
    bands.map { band in
      let (from, to) = (place(band.start), place(band.end))
      guard to - from > Double(band.name.count) * 6.5 else { return "" }
      return Markup.text(
        (from + to) / 2, Self.stripTop - 8, band.name, band.conditions.outage == nil ? "tick" : "wrong",
        anchor: "middle")
    }.joined()
  }

  private func row(_ transfer: Transfer, _ url: URLPlace, _ hasOneOrigin: Bool) -> (Double) -> String {
    let row = WaterfallRow(
      transfer: transfer, url: url, events: timeline.events.filter { $0.transfer == transfer.number }, scale: scale,
      now: timeline.time, hasOneOrigin: hasOneOrigin, stretches: 60, eventLimit: 0, packets: [], isOpen: false)
    let end = transfer.errorName.isEmpty ? row.status : "–"
    let name = "\(end) \(transfer.method) \(row.place)"
    return { top in
      let text = name.count > 26 ? "\(name.prefix(25))…" : name
      let time = Markup.text(Self.width - Self.margin, top + 14, row.time, "value", anchor: "end")
      return Markup.text(Self.margin, top + 14, text, transfer.isFailure ? "wrong" : "")
        + drawing(top + 2, Self.rowHeight - 4, of: 20, row.bars + row.marks) + time
    }
  }

  private func legend(_ legend: Legend, _ top: Double) -> (marks: [String], end: Double) {
    var (x, y) = (Self.margin, top)
    // The legend of the rows explains lost packets already.
    let link = legend.stripEntries.filter { $0.text != "packet lost" }
    let marks = (legend.rowEntries + link).map { entry in
      let length = 26 + Double(entry.text.count) * 5.6
      if x + length > Self.width - Self.margin { (x, y) = (Self.margin, y + 18) }
      defer { x += length + 14 }
      return """
        <svg x="\(Markup.point(x))" y="\(Markup.point(y - 9))" width="20" height="11" viewBox="0 0 30 20" \
        preserveAspectRatio="none">\(entry.sample)</svg>\(Markup.text(x + 26, y, entry.text, "tick"))
        """
    }
    return (marks, y)
  }
}

extension TimelinePicture: CustomStringConvertible {
  /// The picture's size in one line; ``text`` is the picture itself.
  public var description: String {
    "a picture of \(FigureText.bytes(Double(text.utf8.count))), to be written to a file"
  }
}

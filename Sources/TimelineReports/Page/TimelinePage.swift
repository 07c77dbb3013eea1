import HTMLPages
public import NetworkConditions

/// A timeline as one self-contained HTML page: the link over time above a waterfall of the transfers.
///
/// It can be read without scripts, fits a phone, and can be printed. Passwords in URLs are left out.
public struct TimelinePage: Sendable {
  /// The most transfers that have a row.
  public static let rowLimit = 1_000

  /// The most transfers whose packets are drawn, if they were recorded: failures first, then the longest.
  public static let graphLimit = 30

  private let timeline: Timeline
  private let urls: [URLPlace]
  private let scale: TimeScale

  /// Creates the page of a timeline.
  public init(_ timeline: Timeline) {
    self.timeline = timeline
    urls = timeline.transfers.map { URLPlace($0.shownURL) }
    scale = TimeScale(extent: timeline.extent)
  }

  /// The page as HTML; equal timelines give equal pages.
  public var text: String {
    let header = PageHeader(timeline: timeline, origins: Set(urls.map(\.origin)))
    guard !timeline.transfers.isEmpty else { return page(header, "<p class=\"what\">No request was made.</p>") }
    let (from, to) = (scale.extent.lowerBound, scale.extent.upperBound)
    let strip = RateStrip(timeline, scale, timeline.conditionSpans(from: from, to: to, limit: 1_000))
    let bands = timeline.conditionSpans(from: from, to: to, limit: 150)
    let legend = Legend(timeline: timeline, hiddenLimit: strip.hiddenLimit, spans: bands)
    let chart = """
      <section class="chart" data-from="\(Double(from) / 1e9)" data-to="\(Double(to) / 1e9)">
      \(legend.rows)
      \(legend.strip)
      \(Bands.names(bands, scale))
      \(strip.text)
      \(axis)
      \(rows(bands))
      </section>
      \(PointerScript.text)
      """
    return page(header, chart, exceedsLimit: strip.exceedsLimit)
  }

  private func page(_ header: PageHeader, _ chart: String, exceedsLimit: Bool = false) -> String {
    let body = "\(header.text)\n\(chart)\n\(header.footer(exceedsLimit: exceedsLimit))"
    return Page.text(title: header.title, style: TimelineStyle.sheet, body: body)
  }

  private var axis: String {
    "<div class=\"plot axis\">\(scale.labels(9))</div>"
  }

  private func rows(_ bands: [ConditionSpan]) -> String {
    let shown = shownTransfers
    var events: [Int: [NetworkEvent]] = [:]
    for event in timeline.events where event.transfer != nil && !event.kind.isProgress {
      events[event.transfer ?? 0, default: []].append(event)
    }
    let graphed = Set(timeline.packets.isEmpty ? [] : byInterest.prefix(Self.graphLimit))
    let hasOneOrigin = Set(urls.map(\.origin)).count == 1
    let lines = shown.map { index in
      let transfer = timeline.transfers[index]
      return WaterfallRow(
        transfer: transfer, url: urls[index], events: events[transfer.number] ?? [], scale: scale, now: timeline.time,
        hasOneOrigin: hasOneOrigin, stretches: max(8, min(60, 8_000 / shown.count)),
        eventLimit: max(4, min(80, 8_000 / shown.count)),
        packets: graphed.contains(index) ? timeline.packets(of: transfer) : [],
        isOpen: shown.count == 1
      ).text
    }
    let grid = scale.ticks(9).map { "M\(scale.x($0.time)) 0V10" }.joined()
    return """
      \(note(shown.count))\(filter(shown))<div class="rows">
      <svg class="under" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">\
      \(Bands.shading(bands, scale, height: 10))<path class="grid" d="\(grid)"/></svg>
      \(lines.joined(separator: "\n"))
      </div>
      """
  }

  /// The transfers that have a row: all, or else the failures and the longest, in the order of their numbers.
  var shownTransfers: [Int] {
    let all = timeline.transfers
    guard all.count > Self.rowLimit else { return Array(all.indices) }
    return byInterest.prefix(Self.rowLimit).sorted()
  }

  /// The failures first, then the other transfers, the longest first.
  private var byInterest: [Int] {
    let all = timeline.transfers
    let lengths = all.map { $0.end(at: timeline.time) - $0.started.nanoseconds }
    return all.indices.sorted { left, right in
      let (a, b) = (all[left].isFailure, all[right].isFailure)
      return a != b ? a : (lengths[left], right) > (lengths[right], left)
    }
  }

  private func note(_ count: Int) -> String {
    guard count < timeline.transfers.count else { return "" }
    return
      "<p class=\"what\">\(count) of \(timeline.transfers.count) transfers have a row: failures, then the longest.</p>\n"
  }

  /// A checkbox that hides successful transfers, if there are failures, too.
  private func filter(_ shown: [Int]) -> String {
    let failures = shown.count { timeline.transfers[$0].isFailure }
    guard failures > 0, failures < shown.count else { return "" }
    return "<label class=\"only\"><input type=\"checkbox\">only the \(failures) that failed</label>\n"
  }
}

/// A script that shows a line with the time under the pointer; the page works without it.
enum PointerScript {
  static let text = """
    <script>
    (() => {
      const chart = document.querySelector('.chart'), plot = chart.querySelector('.axis');
      const line = chart.appendChild(document.createElement('div')), label = document.createElement('span');
      const from = +chart.dataset.from, length = +chart.dataset.to - from;
      line.className = 'cursor'; line.hidden = true; line.append(label);
      chart.addEventListener('pointerleave', () => line.hidden = true);
      chart.addEventListener('pointermove', event => {
        const area = plot.getBoundingClientRect(), share = (event.clientX - area.left) / area.width;
        if (line.hidden = !(share >= 0 && share <= 1)) return;
        const time = from + share * length;
        line.style.left = event.clientX - chart.getBoundingClientRect().left + 'px';
        line.classList.toggle('left', share > .8);
        label.textContent = length < 1 ? (time * 1e3).toFixed(length < .1 ? 2 : 1) + ' ms' : time.toFixed(3) + ' s';
      });
    })();
    </script>
    """
}

import Foundation
import Internals
import NetworkConditions

struct LogReader {
  /// The most phases of a log: 5.5 hours with one each second.
  static let mostRows = 20_000
  private static let mostCells = 1_000

  private var columns = LogColumn.usual.map(Optional.init)
  private var conditions = PathConditions()
  /// Whether rows count the bytes received since the row before, as in the logs of Riiser and of van der Hooft.
  private var countsBytes = false
  /// The end of the last row in nanoseconds; used with `countsBytes`.
  private var elapsed: Int64 = 0
  private(set) var rows: [(time: Int64, conditions: PathConditions)] = []
  private var idleRows = 0
  private(set) var losses = LossList()

  mutating func read(_ text: String, file: String) throws(ProfileError) {
    var separator: Character?
    var isFirst = true
    try TextLine.forEach(of: text, file: file) { line throws(ProfileError) in
      if line.content.hasPrefix("#") { return }
      if isFirst, LogInterval(line) != nil { countsBytes = true }
      isFirst = isFirst && !countsBytes
      if countsBytes { return try readInterval(line) }
      let marks: [Character] = [",", ";", "\t"]
      let mark = separator ?? marks.first { line.content.contains($0) } ?? ","
      separator = mark
      let cells = try Self.cells(of: line, separator: mark)
      if isFirst, let first = cells.first, DecimalNumber(first.text) == nil {
        try readHeader(cells)
      } else {
        try readRow(cells)
      }
      isFirst = false
    }
    guard !rows.isEmpty else {
      throw Place(file: file).error(
        "there is no row; write for example time (s),down (kbit/s) and then 0,780")
    }
    if idleRows > 0 {
      losses.add(
        "the rates of \(FigureText.count(idleRows, "row")) in state I",
        "an idle device measures no rate, so the rate before holds on")
    }
  }

  private static func cells(of line: TextLine, separator: Character) throws(ProfileError) -> [Word] {
    guard line.content.utf8.count(where: { $0 == separator.asciiValue }) < mostCells else {
      throw line.place.error("more than \(mostCells) cells are too many for a row of a log")
    }
    var cells: [Word] = []
    var column = line.place.column
    for cell in line.content.split(separator: separator, omittingEmptySubsequences: false) {
      var place = line.place
      place.column = column + cell.prefix { $0 == " " }.count
      cells.append(Word(unquoting: cell, at: place))
      column += cell.unicodeScalars.count + 1
    }
    return cells
  }

  private mutating func readHeader(_ cells: [Word]) throws(ProfileError) {
    columns = []
    var known = Set<String>()
    var unknown: [Substring] = []
    for cell in cells {
      let column = LogColumn(heading: cell.text)
      if let column, !known.insert(column.kind.rawValue).inserted {
        throw cell.error("\(cell.shown) is a second column of the same kind; leave one of them out")
      }
      if column == nil { unknown.append(cell.text.prefix(40)) }
      columns.append(column)
    }
    if !unknown.isEmpty {
      let most = 5
      let more = unknown.count > most ? " and \(unknown.count - most) more" : ""
      losses.add(
        "column\(unknown.count == 1 ? "" : "s") \(unknown.prefix(most).joined(separator: ", "))\(more)",
        "no known property of a network")
    }
    guard known.contains("time"), known.contains("down") || known.contains("up") else {
      throw cells[0].error(
        "the header needs a time and a rate; write for example time (s),down (kbit/s),rtt (ms),loss (%)")
    }
  }

  private mutating func readInterval(_ line: TextLine) throws(ProfileError) {
    guard let interval = LogInterval(line) else {
      throw line.place.error("this is not a row of two times, two degrees, bytes and milliseconds, like the first one")
    }
    conditions.down.rate = interval.rate
    conditions.up.rate = interval.rate
    try add(at: elapsed, line.place)
    // No log lasts 292 years, so a sum beyond 64 bits is an error.
    let (sum, overflow) = elapsed.addingReportingOverflow(interval.length)
    guard !overflow else { throw line.place.error("a log may not be longer than 292 years") }
    elapsed = sum
  }

  private mutating func add(at time: Int64, _ place: Place) throws(ProfileError) {
    guard rows.count < Self.mostRows else {
      throw place.error("more than \(Self.mostRows) different rows; cut the log, or take the mean of several rows")
    }
    if let last = rows.last, last.conditions == conditions { return }
    rows.append((time, conditions))
  }

  private mutating func readRow(_ cells: [Word]) throws(ProfileError) {
    guard cells.count <= columns.count else {
      throw cells[columns.count].error("a row of \(cells.count) cells under \(columns.count) columns")
    }
    // An idle device measures no rate.
    let isIdle = zip(cells, columns).contains { $1?.kind == .state && $0.text == "I" }
    if isIdle { idleRows += 1 }
    var time: Int64?
    var isDated = false
    let hasUpload = columns.contains { $0?.kind == .up }
    for (cell, column) in zip(cells, columns) {
      guard let column else { continue }
      if column.kind == .time {
        time = DecimalNumber(cell.text)?.count(times: column.factor)
        if time == nil {
          time = LogInterval.date(cell.text)
          isDated = time != nil
        }
        guard time != nil else { throw cell.error("\(cell.shown) is not a time, a number that is not negative") }
        continue
      }
      // An empty cell repeats the value of the row before.
      if cell.text.isEmpty || cell.text == "-" { continue }
      if isIdle, column.kind == .down || column.kind == .up { continue }
      try set(column, cell, hasUpload: hasUpload)
    }
    guard let time else { throw cells[0].error("this row has no time") }
    if isIdle, rows.isEmpty { return }
    // Dates have whole seconds; of several rows in a second the last counts.
    if isDated, time == rows.last?.time {
      rows[rows.count - 1].conditions = conditions
      return
    }
    if let last = rows.last, time <= last.time {
      throw cells[0].error("a row must be later than the one before it")
    }
    try add(at: time, cells[0].place)
  }

  private mutating func set(_ column: LogColumn, _ cell: Word, hasUpload: Bool) throws(ProfileError) {
    switch column.kind {
    case .time, .state: break
    case .down, .up:
      let rate = try Self.rate(cell, column.factor)
      if column.kind == .down { conditions.down.rate = rate }
      // A log with a single rate gives it for both directions.
      if column.kind == .up || !hasUpload { conditions.up.rate = rate }
    case .roundTrip:
      guard
        let trip = DecimalNumber(cell.text)?.count(times: column.factor, limit: PathConditions.longestRoundTrip)
      else { throw cell.error("\(cell.shown) is not a round trip, a number that is not negative") }
      conditions.setRoundTrip(trip)
    case .loss:
      let text = cell.text.hasSuffix("%") ? cell.text.dropLast().trimmingCharacters(in: .whitespaces) : cell.text
      guard let share = DecimalNumber(text)?.percent else {
        throw cell.error("\(cell.shown) is not a loss, a share in per cent from 0 to 100")
      }
      conditions.lose(share)
    }
  }

  private static func rate(_ cell: Word, _ factor: UInt64) throws(ProfileError) -> Bandwidth? {
    if ["unlimited", "inf"].contains(cell.text.lowercased()) { return nil }
    guard let bits = DecimalNumber(cell.text)?.count(times: factor, limit: Bandwidth.maximum.bitsPerSecond) else {
      throw cell.error("\(cell.shown) is not a rate; write a number that is not negative, or unlimited")
    }
    return Bandwidth(bitsPerSecond: bits)
  }
}

/// A row of a bandwidth log without a header, with the bytes and milliseconds since the row before.
///
/// The six columns are two times, latitude, longitude, bytes and milliseconds. The first time is in seconds in the
/// HSDPA logs of Riiser et al. It is in milliseconds in the 4G logs of van der Hooft et al. The bytes give the rate
/// before the row.
struct LogInterval {
  let rate: Bandwidth
  /// The length of time that the row covers, in nanoseconds.
  let length: Int64

  init?(_ line: TextLine) {
    let cells = line.content.split { $0 == " " || $0 == "\t" }.prefix(7).map { DecimalNumber(String($0)) }
    guard cells.count == 6, cells.allSatisfy({ $0 != nil }), let bits = cells[4]?.count(times: 8),
      let length = cells[5]?.count(times: 1_000_000, limit: Duration.longest.wholeNanoseconds), length > 0
    else { return nil }
    let rate = Int128(bits) * 1_000_000_000 / Int128(length)
    let most = Int128(Bandwidth.maximum.bitsPerSecond)
    guard let rate = Bandwidth(bitsPerSecond: Int64(min(rate, most))) else { return nil }
    (self.rate, self.length) = (rate, length)
  }

  /// Reads `2019.12.16_13.40.04`, the form in the 4G and 5G logs of Raca et al., as nanoseconds since 1970.
  static func date(_ text: String) -> Int64? {
    let parts = text.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "_" }.map { Int($0) }
    let bounds = [1970...2200, 1...12, 1...31, 0...23, 0...59, 0...60]
    let numbers = zip(parts, bounds).compactMap { part, bounds in part.flatMap { bounds.contains($0) ? $0 : nil } }
    guard text.utf8.count == 19, parts.count == 6, numbers.count == 6 else { return nil }
    let days = CivilDate.days(numbers[0], numbers[1], numbers[2])
    return Int64(days * 86_400 + numbers[3] * 3_600 + numbers[4] * 60 + numbers[5]) * 1_000_000_000
  }
}

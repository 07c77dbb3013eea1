import Foundation
import NetworkConditions

/// Reads the rows of a throughput log into phases.
struct LogReader {
  /// More phases than this are no log of a network that a test could run through: 5.5 hours, one each second.
  static let mostRows = 20_000
  private static let mostCells = 1_000

  private var columns = LogColumn.usual.map(Optional.init)
  private var conditions = PathConditions()
  /// Whether rows say what was received since the row before, as in the logs of Riiser and of van der Hooft.
  private var countsBytes = false
  /// When the row before ended, in such a log.
  private var elapsed: Int64 = 0
  private(set) var rows: [(time: Int64, conditions: PathConditions)] = []
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
      throw Place(file: file, line: 1, column: 1).error(
        "there is no row; write for example time (s),down (kbit/s) and then 0,780")
    }
  }

  private static func cells(of line: TextLine, separator: Character) throws(ProfileError) -> [Word] {
    guard line.content.utf8.count(where: { $0 == separator.asciiValue }) < mostCells else {
      throw line.place.error("more than \(mostCells) cells are no row of a log")
    }
    var cells: [Word] = []
    var column = line.place.column
    for cell in line.content.split(separator: separator, omittingEmptySubsequences: false) {
      let spaces = cell.prefix { $0 == " " }.count
      var place = line.place
      place.column = column + spaces
      var text = cell.trimmingCharacters(in: .whitespaces)
      if text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") { text = String(text.dropFirst().dropLast()) }
      cells.append(Word(text: text, place: place))
      column += cell.unicodeScalars.count + 1
    }
    return cells
  }

  private mutating func readHeader(_ cells: [Word]) throws(ProfileError) {
    columns = []
    var known = Set<String>()
    for cell in cells {
      let column = LogColumn(heading: cell.text)
      if let column, !known.insert(column.kind.rawValue).inserted {
        throw cell.error("\(cell.shown) is a second column of the same kind; leave one of them out")
      }
      if column == nil { losses.add("column \(cell.text.prefix(40))", "nothing of a network that is known here") }
      columns.append(column)
    }
    guard known.contains("time"), known.contains("down") || known.contains("up") else {
      let place = cells[0]
      throw place.error(
        "the header names no time and no rate; write for example time (s),down (kbit/s),rtt (ms),loss (%)")
    }
  }

  private mutating func readInterval(_ line: TextLine) throws(ProfileError) {
    guard let interval = LogInterval(line) else {
      throw line.place.error("this is no row of two times, two degrees, bytes and milliseconds, as the first one is")
    }
    conditions.down.rate = interval.rate
    conditions.up.rate = interval.rate
    try add(at: elapsed, line.place)
    // Rows are of a year at most, and only so many make a phase: a sum beyond 64 bits is no log.
    let (sum, overflow) = elapsed.addingReportingOverflow(interval.length)
    guard !overflow else { throw line.place.error("a log of more than 292 years is none") }
    elapsed = sum
  }

  private mutating func add(at time: Int64, _ place: Place) throws(ProfileError) {
    guard rows.count < Self.mostRows else {
      throw place.error("more than \(Self.mostRows) different rows; cut the log, or take the mean of several rows")
    }
    // A row that changes nothing makes no phase.
    if let last = rows.last, last.conditions == conditions { return }
    rows.append((time, conditions))
  }

  private mutating func readRow(_ cells: [Word]) throws(ProfileError) {
    guard cells.count <= columns.count else {
      throw cells[columns.count].error("a row of \(cells.count) cells under \(columns.count) columns")
    }
    // A device that fetches nothing measures nothing.
    let isIdle = zip(cells, columns).contains { $1?.kind == .state && $0.text == "I" }
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
        guard time != nil else { throw cell.error("\(cell.shown) is no time, a number that is not negative") }
        continue
      }
      // An empty cell says what the row before said.
      if cell.text.isEmpty || cell.text == "-" { continue }
      if isIdle, column.kind == .down || column.kind == .up { continue }
      try set(column, cell, hasUpload: hasUpload)
    }
    guard let time else { throw cells[0].error("this row has no time") }
    if isIdle, rows.isEmpty { return }
    // Dates are of whole seconds, of which the last row counts.
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
      // A log of one rate says it of the whole network.
      if column.kind == .up || !hasUpload { conditions.up.rate = rate }
    case .roundTrip:
      guard let number = DecimalNumber(cell.text),
        let trip = number.count(times: column.factor, limit: PathConditions.longestRoundTrip)
      else { throw cell.error("\(cell.shown) is no round trip, a number that is not negative") }
      conditions.setRoundTrip(trip)
    case .loss:
      let text = cell.text.hasSuffix("%") ? cell.text.dropLast().trimmingCharacters(in: .whitespaces) : cell.text
      guard let number = DecimalNumber(text), let share = Probability(number.double(timesTenTo: -2)) else {
        throw cell.error("\(cell.shown) is no loss, a share in per cent from 0 to 100")
      }
      conditions.down.loss = .single(share)
      conditions.up.loss = conditions.down.loss
    }
  }

  private static func rate(_ cell: Word, _ factor: UInt64) throws(ProfileError) -> Bandwidth? {
    if ["unlimited", "inf"].contains(cell.text.lowercased()) { return nil }
    guard let number = DecimalNumber(cell.text),
      let bits = number.count(times: factor, limit: Bandwidth.maximum.bitsPerSecond)
    else { throw cell.error("\(cell.shown) is no rate; write a number that is not negative, or unlimited") }
    return Bandwidth(bitsPerSecond: bits)
  }
}

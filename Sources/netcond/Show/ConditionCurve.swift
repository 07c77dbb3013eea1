import LinkSimulator

/// What a schedule does over a stretch of time, in equal columns.
struct ConditionCurve {
  /// One column: what holds on average in its stretch.
  struct Column: Equatable {
    /// The mean rates in bits per second while there is a network; infinite is unlimited.
    var down = 0.0
    var up = 0.0
    /// The share of the time in which there is none.
    var outage = 0.0
  }

  /// A phase, and the columns in which it lies.
  struct Span: Equatable {
    var name: String
    var index: Int
    var columns: Range<Int>
  }

  let columns: [Column]
  let spans: [Span]
  /// The time that all columns take together.
  let length: Duration
  /// Whether the last phase goes on beyond it.
  let goesOn: Bool

  /// One period of a schedule; one that does not repeat ends with a piece of what holds for ever.
  init(_ schedule: ConditionSchedule, columns count: Int) {
    var phases = schedule.phases
    goesOn = !schedule.repeats
    let known = phases.dropLast(goesOn ? 1 : 0).reduce(Int64(0)) { sum, phase in
      sum.addingReportingOverflow(phase.duration?.wholeNanoseconds ?? 0).partialValue
    }
    if goesOn, let last = phases.indices.last {
      let own = phases[last].duration?.wholeNanoseconds ?? 0
      phases[last].duration = .nanoseconds(max(own, known / 4, known == 0 ? 60_000_000_000 : 1))
    }
    let edges = phases.reduce(into: [Int64(0)]) { edges, phase in
      edges.append(edges[edges.count - 1] + (phase.duration?.wholeNanoseconds ?? 0))
    }
    let total = max(1, edges[edges.count - 1])
    length = .nanoseconds(total)
    let width = Double(total) / Double(max(1, count))
    columns = (0..<count).map { column in
      Self.mean(phases, edges, from: Double(column) * width, to: Double(column + 1) * width)
    }
    spans = phases.indices.map { index in
      let first = Int((Double(edges[index]) / width).rounded())
      let last = Int((Double(edges[index + 1]) / width).rounded())
      return Span(name: phases[index].name, index: index, columns: first..<max(first, last))
    }
  }

  private static func mean(
    _ phases: [ConditionSchedule.Phase], _ edges: [Int64], from begin: Double, to end: Double
  ) -> Column {
    var column = Column()
    var present = 0.0
    // The first phase that ends after the column begins: edges rise, so half of them can be left out each time.
    var low = 0
    var high = phases.count - 1
    while low < high {
      let middle = (low + high) / 2
      if Double(edges[middle + 1]) > begin { high = middle } else { low = middle + 1 }
    }
    var index = low
    while index < phases.count, Double(edges[index]) < end {
      let overlap = min(end, Double(edges[index + 1])) - max(begin, Double(edges[index]))
      let conditions = phases[index].conditions
      if conditions.outage != nil {
        column.outage += overlap
      } else if overlap > 0 {
        present += overlap
        column.down += overlap * (conditions.down.meanRate.map { Double($0.bitsPerSecond) } ?? .infinity)
        column.up += overlap * (conditions.up.meanRate.map { Double($0.bitsPerSecond) } ?? .infinity)
      }
      index += 1
    }
    if present > 0 {
      column.down /= present
      column.up /= present
    }
    column.outage /= end - begin
    return column
  }
}

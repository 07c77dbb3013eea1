import NetworkConditions

struct Arrivals {
  let begin: Int64
  /// The length of each interval, in nanoseconds.
  let width: Double
  private(set) var bytes: [Double]

  init(_ transfers: some Sequence<Transfer>, in extent: ClosedRange<Int64>, count: Int, until now: SimulatedInstant) {
    begin = extent.lowerBound
    width = Double(extent.upperBound - extent.lowerBound) / Double(count)
    bytes = Array(repeating: 0, count: count)
    for transfer in transfers { add(transfer, until: transfer.end(at: now)) }
  }

  /// Sums the transfers' bytes in intervals of at least 20 ms: in shorter ones packets would seem faster than the link.
  init(_ timeline: Timeline, in extent: ClosedRange<Int64>, stretches: Int64) {
    let count = max(1, min(stretches, (extent.upperBound - extent.lowerBound) / 20_000_000))
    self.init(timeline.transfers, in: extent, count: Int(count), until: timeline.time)
  }

  var bitsPerSecond: [Double] { bytes.map { $0 * 8e9 / width } }

  private mutating func add(_ transfer: Transfer, until end: Int64) {
    let history = transfer.rate
    for (index, count) in history.bytes.enumerated() where count > 0 {
      let from = history.start.nanoseconds + Int64(index) * history.sliceNanoseconds
      // A slice has no bytes before the transfer's first byte and after its end.
      let low = max(from, transfer.firstByte?.nanoseconds ?? from)
      spread(Double(count), from: low, to: max(low, min(from + history.sliceNanoseconds, end)))
    }
  }

  private mutating func spread(_ count: Double, from low: Int64, to high: Int64) {
    func bin(_ time: Int64) -> Int { min(bytes.count - 1, max(0, Int(Double(time - begin) / width))) }
    let (first, last) = (bin(low), bin(high))
    guard first < last, high > low else {
      bytes[first] += count
      return
    }
    for index in first...last {
      let start = max(Double(low - begin), Double(index) * width)
      let stop = min(Double(high - begin), Double(index + 1) * width)
      bytes[index] += count * max(0, stop - start) / Double(high - low)
    }
  }
}

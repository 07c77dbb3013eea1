import Testing

@testable import LinkSimulator

struct QuicWindowTests {
  private static let stream = StreamHandle(slot: 1, tag: 0)
  private static let other = StreamHandle(slot: 2, tag: 0)

  @Test func `a server raises its flow control limit after reading a quarter and doubles a quickly used window`() {
    var window = QuicWindow.serverStream
    let quarter = window.size / 4
    let news = (
      window.arrived(upTo: quarter - 1, at: 0, roundTrip: 0), window.arrived(upTo: quarter, at: 0, roundTrip: 0)
    )
    #expect(news == (false, true) && window.edge == quarter + 524_288)
    // More than half of the window is used in 1 ms, and four round trips are 400 ms.
    let grows = window.arrived(upTo: 280_000, at: 1_000_000, roundTrip: 100_000_000)
    #expect(grows && window.edge == 280_000 + 2 * 524_288)
  }

  /// The time counts from the first byte, so a late request does not count as slow.
  @Test func `a server also doubles its window when the first byte arrives late`() {
    var window = QuicWindow.serverStream
    _ = window.arrived(upTo: 1, at: 10_000_000_000, roundTrip: 100_000_000)
    let grows = window.arrived(upTo: 280_000, at: 10_001_000_000, roundTrip: 100_000_000)
    #expect(grows && window.edge == 280_000 + 2 * 524_288)
  }

  @Test func `a server keeps the window of a sender that takes four round trips to fill it`() {
    // Four round trips are 400 ms, so 280,000 of 524,288 bytes count as slow from 213.6 ms on.
    for (milliseconds, size) in [(213, 2 * 524_288), (214, 524_288)] as [(Int64, Int64)] {
      var window = QuicWindow.serverStream
      _ = window.arrived(upTo: 1, at: 0, roundTrip: 100_000_000)
      let grows = window.arrived(upTo: 280_000, at: milliseconds * 1_000_000, roundTrip: 100_000_000)
      #expect(grows && window.edge == 280_000 + size)
    }
  }

  @Test func `a quickly used window doubles up to its greatest size`() {
    var window = QuicWindow.serverStream
    var read: Int64 = 0
    var mebibytes: [Int64] = []
    for _ in 0..<5 {
      read += window.size * 3 / 4
      _ = window.arrived(upTo: read, at: 0, roundTrip: 1)
      mebibytes.append(window.size >> 20)
    }
    #expect(mebibytes == [1, 2, 4, 6, 6])
  }

  @Test func `a widened window does not exceed its greatest size`() {
    var window = QuicWindow.serverStream
    window.widen(to: 7 << 20, read: 0, at: 0)
    #expect(window.size == 6 << 20)
  }

  @Test func `a client raises its flow control limit after reading a quarter but keeps its window size`() {
    var window = QuicWindow.clientStream
    let news = (window.arrived(upTo: 8_192, at: 0, roundTrip: 1), window.arrived(upTo: 8_193, at: 0, roundTrip: 1))
    #expect(news == (false, true) && window.edge == 8_193 + 10 << 20)
    var whole = QuicWindow.clientConnection
    let quarter: Int64 = 250 << 20
    let offers = [quarter, quarter + 1].map { whole.arrived(upTo: $0, at: 0, roundTrip: 1) }
    #expect(offers == [false, true] && whole.edge == quarter + 1 + 1_000 << 20)
  }

  @Test func `each stream has its own flow control limit, and an ended stream's limit is not raised`() {
    var allowance = QuicAllowance(isClient: false)
    let first = allowance.read(131_072, of: Self.stream, isLast: false, at: 0, roundTrip: 0)
    let second = allowance.read(100_000, of: Self.other, isLast: false, at: 0, roundTrip: 0)
    let last = allowance.read(200_000, of: Self.other, isLast: true, at: 0, roundTrip: 0)
    #expect(first && !second && !last && allowance.made == 1)
    let offers = (0...1 as ClosedRange<Int64>).map { allowance.take(upTo: $0)?.limit }
    #expect(offers == [nil, 131_072 + 524_288])
    let none = allowance.take(upTo: 1) == nil
    #expect(none)
  }

  @Test func `a peer uses only the flow-control offers that it has received`() {
    var allowance = QuicAllowance(isClient: false)
    for count in 1...3 { allowance.allowStreams(count) }
    let limits = ([1, 1, 3, 3, 3] as [Int64]).map { allowance.take(upTo: $0)?.limit }
    #expect(limits == [1, nil, 2, 3, nil])
  }

  /// As in quic-go.
  @Test func `the connection window grows to one and a half times a grown stream's window`() {
    var allowance = QuicAllowance(isClient: false)
    var read: Int64 = 0
    // The stream's window doubles twice: 2 MiB.
    for share in [280_000, 700_000] as [Int64] {
      read += share
      _ = allowance.read(share, of: Self.stream, isLast: false, at: 1_000, roundTrip: 100_000_000)
    }
    let renews = allowance.arrived(upTo: read, at: 1_000, roundTrip: 0)
    #expect(renews)
    var limit: Int64 = 0
    while let offer = allowance.take(upTo: allowance.made) {
      if case .connection = offer.kind { limit = offer.limit }
    }
    #expect(limit == read + 3 << 20)
  }
}

import Testing

@testable import LinkSimulator

struct ReceiveWindowTests {
  /// The announced window in units of 1,024 bytes; the tests compare it with measurements of Linux.
  private static func announced(_ window: ReceiveWindow, held: Int, current: Int64 = 0) -> Int64 {
    window.announced(held: held, current: current) / 1_024
  }

  @Test func `a client's receive window grows in the steps measured on Linux`() {
    var window = ReceiveWindow()
    window.begin(at: 0, offering: ReceiveWindow.initial)
    var seen = [Self.announced(window, held: 0)]
    for _ in 0..<4 {
      _ = window.grow(length: 1_448, held: 1)
      seen.append(Self.announced(window, held: 1))
    }
    #expect(seen == [63, 66, 69, 72, 75])
    for _ in 0..<4 { _ = window.grow(length: 1_448, held: 1) }
    #expect(Self.announced(window, held: 1) == 79)
  }

  @Test func `a receive window is announced in whole units, rounded up while the buffer is half free`() {
    var window = ReceiveWindow()
    for (offered, units) in [(65_536, 64), (65_537, 65), (65_535, 64)] as [(Int64, Int64)] {
      window.begin(at: 0, offering: offered)
      #expect(window.announced(held: 0, current: 0) == units * 1_024)
    }
    // Of 131,072 bytes, 29 packets of 2,304 leave less than half; then the window is rounded down.
    window.begin(at: 0, offering: 30_000)
    #expect(Self.announced(window, held: 28) == 30 && Self.announced(window, held: 29) == 29)
  }

  @Test func `segments that wait behind a gap stop the growth of the receive window`() {
    var window = ReceiveWindow()
    window.begin(at: 0, offering: ReceiveWindow.initial)
    var seen: [Int64] = []
    var current: Int64 = 0
    for held in 0..<9 {
      _ = window.grow(length: 1_448, held: held)
      current = window.announced(held: held + 1, current: current)
      seen.append(current / 1_024)
    }
    #expect(seen == [66, 69, 72, 75, 75, 75, 75, 75, 75])
    // The gap is filled: eleven packets wait for the application.
    #expect(Self.announced(window, held: 11) == 65)
  }

  @Test func `short segments do not grow the receive window before the first full segment`() {
    // 63 units during a TLS handshake, and 66 after the first full segment.
    var window = ReceiveWindow()
    window.begin(at: 0, offering: ReceiveWindow.initial)
    for length: Int64 in [767, 271, 271, 62] { _ = window.grow(length: length, held: 1) }
    #expect(Self.announced(window, held: 1) == 63)
    _ = window.grow(length: 1_448, held: 1)
    #expect(Self.announced(window, held: 1) == 66)
  }

  @Test func `an announced receive window is never reduced`() {
    var window = ReceiveWindow()
    window.begin(at: 0, offering: ReceiveWindow.initial)
    #expect(window.announced(held: 50, current: 60_000) >= 60_000)
  }
}

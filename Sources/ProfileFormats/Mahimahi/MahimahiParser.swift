import NetworkConditions

/// Reads a packet-delivery trace of Mahimahi piece by piece, so that no more of a file is in memory than its numbers.
struct MahimahiParser {
  /// More opportunities than this are refused; at eight bytes each they take 160 MB.
  static let mostOpportunities = 20_000_000
  /// A trace lasts no longer than any duration of a profile, a year.
  private static let latest: Int64 = 8_760 * 3_600 * 1_000

  private let file: String
  private var offsets: [Int64] = []
  private var line = 1
  private var column = 1
  /// The number of the line so far; negative before its first digit.
  private var number: Int64 = -1
  private var last: Int64 = 0
  private var sawReturn = false

  init(file: String) {
    self.file = file
  }

  mutating func take(_ bytes: UnsafeRawBufferPointer) throws(ProfileError) {
    for byte in bytes {
      let digit = byte &- UInt8(ascii: "0")
      if digit < 10, !sawReturn {
        number = max(number, 0) * 10 + Int64(digit)
        guard number <= Self.latest else { throw error("a time of more than a year, in milliseconds") }
        column += 1
      } else if byte == UInt8(ascii: "\n") {
        try endLine()
      } else if byte == UInt8(ascii: "\r"), number >= 0, !sawReturn {
        sawReturn = true
      } else {
        throw error("a line is one whole number of milliseconds, and nothing else")
      }
    }
  }

  private mutating func endLine() throws(ProfileError) {
    guard number >= 0 else { throw error("an empty line; each is one whole number of milliseconds") }
    guard number >= last else { throw error("\(number) is earlier than the line before, \(last)") }
    guard offsets.count < Self.mostOpportunities else {
      throw error("more than \(Self.mostOpportunities) opportunities; cut the trace, which repeats by itself")
    }
    offsets.append(number * 1_000_000)
    last = number
    number = -1
    sawReturn = false
    line += 1
    column = 1
  }

  mutating func finish() throws(ProfileError) -> DeliveryTrace {
    if number >= 0 { try endLine() }
    guard let trace = DeliveryTrace(offsets: offsets, period: .milliseconds(last)) else {
      line = max(1, line - 1)
      throw error(
        offsets.isEmpty
          ? "there is no line; each is one whole number of milliseconds"
          : "the trace ends at 0; its last number is how long it lasts, which is above 0")
    }
    return trace
  }

  private func error(_ reason: String) -> ProfileError {
    .syntax(file: file, line: line, column: column, reason: reason)
  }
}

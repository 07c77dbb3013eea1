public import Foundation
public import NetworkConditions

extension DeliveryTrace {
  /// Reads a packet-delivery trace of Mahimahi's `mm-link` from memory.
  ///
  /// Each line is a time in whole milliseconds at which the link can deliver one packet of 1500 bytes. Numbers never
  /// fall. The last one is the length of the trace and above 0; then the trace repeats. Source: mm-link(1) and
  /// src/frontend/link_queue.cc of ravinet/mahimahi, which counts 1504 bytes: 1500 and the header of a TUN device.
  public init(mahimahi data: Data, file: String = "trace") throws(ProfileError) {
    var parser = MahimahiParser(file: file)
    // A `Data` may consist of several regions.
    for region in data.regions { try parser.take([UInt8](region)) }
    self = try parser.finish()
  }

  /// Reads a packet-delivery trace of Mahimahi's `mm-link` from a file, piece by piece.
  public init(mahimahi url: URL) throws(ProfileError) {
    let file = url.lastPathComponent
    var parser = MahimahiParser(file: file)
    do {
      let handle = try FileHandle(forReadingFrom: url)
      defer { try? handle.close() }
      while let piece = try handle.read(upToCount: 1 << 18), !piece.isEmpty { try parser.take([UInt8](piece)) }
    } catch {
      throw error as? ProfileError ?? .unreadable(file: file, reason: "cannot be read: \(url.path.quoted)")
    }
    self = try parser.finish()
  }

  /// The trace in the format of Mahimahi's `mm-link`, with a list of the parts that such a file cannot hold.
  public func mahimahi() -> ExportedDocument {
    var losses = LossList()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(offsets.count * 7)
    var isRounded = false
    var last: Int64 = 0
    for offset in offsets {
      last = offset / 1_000_000
      if last * 1_000_000 != offset { isRounded = true }
      bytes.append(contentsOf: String(last).utf8)
      bytes.append(UInt8(ascii: "\n"))
    }
    if isRounded { losses.add("offsets", "rounded down to whole milliseconds") }
    let length = max(1, period.wholeNanoseconds / 1_000_000)
    if length != last {
      losses.add("period", "the last opportunity ends a trace, so one is added at \(length) ms")
      bytes.append(contentsOf: "\(length)\n".utf8)
    }
    if bytesPerOpportunity != Self.mahimahiBytes {
      losses.add(
        "bytesPerOpportunity", "an opportunity is \(Self.mahimahiBytes) bytes there, not \(bytesPerOpportunity)")
    }
    return ExportedDocument(text: String(decoding: bytes, as: UTF8.self), losses: losses.losses)
  }
}

/// Reads a packet-delivery trace of Mahimahi piece by piece, so that only its numbers are in memory.
struct MahimahiParser {
  /// The most delivery opportunities; at eight bytes each they take 160 MB.
  static let mostOpportunities = 20_000_000
  /// The longest trace, in milliseconds: a year, like any duration of a profile.
  private static let latest: Int64 = 8_760 * 3_600 * 1_000

  private let file: String
  private var offsets: [Int64] = []
  private var line = 1
  private var column = 1
  /// The value of the current line so far; negative before its first digit.
  private var number: Int64 = -1
  private var last: Int64 = 0
  private var sawReturn = false

  init(file: String) {
    self.file = file
  }

  mutating func take(_ bytes: [UInt8]) throws(ProfileError) {
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

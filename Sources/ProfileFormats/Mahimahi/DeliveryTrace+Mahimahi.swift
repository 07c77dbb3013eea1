public import Foundation
public import NetworkConditions

extension DeliveryTrace {
  /// Reads a packet-delivery trace of Mahimahi's `mm-link` from memory.
  ///
  /// Each line is a whole number of milliseconds, at which the link can deliver one packet of 1500 bytes; numbers never
  /// fall, and after the last, which is the length of the trace and above 0, it begins again. Source: mm-link(1) and
  /// src/frontend/link_queue.cc of ravinet/mahimahi, which counts 1504 bytes: 1500 and the head of a TUN device.
  ///
  /// - Throws: an error that names line and column, and what would be right.
  public init(mahimahi data: Data, file: String = "trace") throws(ProfileError) {
    var parser = MahimahiParser(file: file)
    // The bytes of a Data may lie in pieces, which are taken one by one.
    for region in data.regions {
      let bytes = [UInt8](region)
      try Self.feed(bytes, to: &parser)
    }
    self = try parser.finish()
  }

  /// Reads a packet-delivery trace of Mahimahi's `mm-link` from a file, piece by piece.
  ///
  /// - Throws: an error that names the file, line and column, and what would be right.
  public init(mahimahi url: URL) throws(ProfileError) {
    let file = url.lastPathComponent
    var parser = MahimahiParser(file: file)
    let handle: FileHandle
    do {
      handle = try FileHandle(forReadingFrom: url)
    } catch {
      throw .unreadable(file: file, reason: "cannot be read: \(url.path.quoted)")
    }
    defer { try? handle.close() }
    while true {
      let piece: Data?
      do {
        piece = try handle.read(upToCount: 1 << 18)
      } catch {
        throw .unreadable(file: file, reason: "cannot be read: \(url.path.quoted)")
      }
      guard let piece, !piece.isEmpty else { break }
      try Self.feed([UInt8](piece), to: &parser)
    }
    self = try parser.finish()
  }

  private static func feed(_ bytes: [UInt8], to parser: inout MahimahiParser) throws(ProfileError) {
    // `withUnsafeBytes` rethrows any error at all, so that the one of this kind is carried out in a result.
    let result = bytes.withUnsafeBytes { buffer -> Result<Void, ProfileError> in
      do throws(ProfileError) {
        return .success(try parser.take(buffer))
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  /// The trace as Mahimahi's `mm-link` reads it, with a list of what such a file cannot hold.
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
      losses.add("period", "the last opportunity ends a trace, so that one is added at \(length) ms")
      bytes.append(contentsOf: "\(length)\n".utf8)
    }
    if bytesPerOpportunity != Self.mahimahiBytes {
      losses.add(
        "bytesPerOpportunity", "an opportunity is \(Self.mahimahiBytes) bytes there, not \(bytesPerOpportunity)")
    }
    return ExportedDocument(text: String(decoding: bytes, as: UTF8.self), losses: losses.losses)
  }
}

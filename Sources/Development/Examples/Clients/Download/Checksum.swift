package import Foundation

/// CRC-32 as in ITU-T V.42 and gzip (RFC 1952, section 8), in eight hexadecimal digits.
package enum Checksum {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { rest, _ in rest & 1 == 1 ? 0xEDB8_8320 ^ (rest >> 1) : rest >> 1 }
  }

  package static func of(_ data: Data) -> String {
    let rest = data.reduce(UInt32.max) { rest, byte in table[Int(UInt8(truncatingIfNeeded: rest) ^ byte)] ^ (rest >> 8)
    }
    let digits = String(~rest, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}

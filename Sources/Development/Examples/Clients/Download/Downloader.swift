package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// Downloads a file in parts, resumes after a cut and verifies the checksum.
package struct Downloader: Sendable {
  private let configuration: URLSessionConfiguration
  private let clock: any Clock<Duration>
  private let variant: Variant
  private let partLength: Int
  private let attempts = 6

  /// - Parameter partLength: the bytes of a part, at least 1.
  package init(
    configuration: URLSessionConfiguration, clock: any Clock<Duration>, partLength: Int = 262_144,
    variant: Variant = .fixed
  ) {
    self.configuration = configuration
    self.clock = clock
    self.partLength = max(1, partLength)
    self.variant = variant
  }

  /// The file at a URL.
  ///
  /// - Throws: ``DownloadError``, or the network's error after the last attempt at a part.
  package func download(_ url: URL) async throws -> Data {
    let receiver = PartReceiver()
    let session = URLSession(configuration: configuration, delegate: receiver, delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }

    var head = URLRequest(url: url)
    head.httpMethod = "HEAD"
    let answer = try await attempt(head, expecting: 200, receiver, session).response
    guard let text = answer?.value(forHTTPHeaderField: "Content-Length"), let length = Int(text),
      let checksum = answer?.value(forHTTPHeaderField: "X-Checksum-CRC32")
    else { throw DownloadError.undescribed }

    var data = Data()
    var offset = 0
    while offset < length {
      let end = min(offset + partLength, length)
      var request = URLRequest(url: url)
      request.setValue("bytes=\(offset)-\(end - 1)", forHTTPHeaderField: "Range")
      // The bytes before a cut are kept and the rest of the part is requested next. The planted mistake skips that
      // rest.
      let part = try await attempt(request, expecting: 206, receiver, session)
      data.append(part.body)
      offset = variant == .fixed ? offset + part.body.count : end
    }
    guard Checksum.of(data) == checksum else { throw DownloadError.damaged(length: data.count, expected: length) }
    return data
  }

  /// Sends a request until a response with the expected status brings at least one byte, or completes.
  private func attempt(
    _ request: URLRequest, expecting status: Int, _ receiver: PartReceiver, _ session: URLSession
  ) async throws -> Part {
    var backoff = Backoff()
    for _ in 1..<attempts {
      let part = await receiver.part(for: request, in: session)
      if part.isGood(status) { return part }
      try await clock.sleep(for: backoff.next())
    }
    let last = await receiver.part(for: request, in: session)
    guard last.isGood(status) else {
      throw last.error ?? DownloadError.refused(status: last.response?.statusCode ?? 0)
    }
    return last
  }
}

extension Part {
  fileprivate func isGood(_ status: Int) -> Bool {
    response?.statusCode == status && response?.mimeType != "text/html" && (error == nil || !body.isEmpty)
  }
}

/// Why a download failed.
package enum DownloadError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The server does not give the file's length or checksum.
  case undescribed
  /// The server responded with another status.
  case refused(status: Int)
  /// The checksum of the received bytes is wrong.
  case damaged(length: Int, expected: Int)

  package var description: String {
    switch self {
    case .undescribed: "the server does not describe the file"
    case .refused(let status): "the server answers with status \(status)"
    case .damaged(let length, let expected): "the checksum is wrong: \(length) bytes came, of \(expected)"
    }
  }
}

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

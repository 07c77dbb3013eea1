import Foundation

/// Reads a streamed response: one line of JSON per word, with an empty object at the end.
///
/// After a lost connection it starts again from the beginning.
package struct ChatReader: Sendable {
  private let variant: Variant
  private let pause: @Sendable (Duration) async throws -> Void
  private static let attempts = 3

  /// An invalid response.
  package enum Problem: Error {
    /// A line is not JSON.
    case unreadable(String)
    /// The stream ended before the answer did.
    case unfinished
    case status(Int)
  }

  private struct Line: Decodable {
    var word: String?
  }

  package init(clock: any Clock<Duration>, variant: Variant) {
    self.variant = variant
    pause = { try await clock.sleep(for: $0) }
  }

  /// The words of the answer.
  ///
  /// - Parameter open: requests the answer and returns its status and bytes.
  package func words<Bytes: AsyncSequence>(
    _ open: @Sendable () async throws -> (status: Int, bytes: Bytes)
  ) async throws -> [String] where Bytes.Element == UInt8 {
    var backoff = Backoff()
    var attempt = 1
    while true {
      do {
        let (status, bytes) = try await open()
        guard status == 200 else { throw Problem.status(status) }
        return try await read(bytes)
      } catch {
        if Task.isCancelled || attempt == Self.attempts { throw error }
        attempt += 1
        try await pause(backoff.next())
      }
    }
  }

  private func read<Bytes: AsyncSequence>(_ bytes: Bytes) async throws -> [String] where Bytes.Element == UInt8 {
    var words: [String] = []
    var line = Data()
    for try await byte in bytes {
      guard byte == UInt8(ascii: "\n") else {
        line.append(byte)
        continue
      }
      guard let word = try decode(line) else { return words }
      words.append(word)
      line = Data()
    }
    if !line.isEmpty { throw Problem.unreadable(String(decoding: line, as: UTF8.self)) }
    switch variant {
    case .planted: return words
    case .fixed: throw Problem.unfinished
    }
  }

  /// The word of a line; `nil` marks the end.
  private func decode(_ line: Data) throws -> String? {
    guard let entry = try? JSONDecoder().decode(Line.self, from: line) else {
      throw Problem.unreadable(String(decoding: line, as: UTF8.self))
    }
    return entry.word
  }
}

import Foundation

/// Reads a file as it arrives and resumes after a lost connection.
package struct ResumingReader: Sendable {
  private let variant: Variant
  private let pause: @Sendable (Duration) async throws -> Void
  private static let attempts = 4
  /// The number of bytes that are saved at once.
  private static let block = 64

  package init(clock: any Clock<Duration>, variant: Variant) {
    self.variant = variant
    pause = { try await clock.sleep(for: $0) }
  }

  /// Reads the file.
  ///
  /// - Parameter open: requests the file from an offset on and returns its bytes.
  package func read<Bytes: AsyncSequence>(_ open: @Sendable (Int) async throws -> Bytes) async throws -> [UInt8]
  where Bytes.Element == UInt8 {
    var data: [UInt8] = []
    /// The number of saved bytes.
    var kept = 0
    var backoff = Backoff()
    var attempt = 1
    while true {
      do {
        for try await byte in try await open(kept) {
          data.append(byte)
          if data.count - kept == Self.block { kept = data.count }
        }
        return data
      } catch {
        if Task.isCancelled || attempt == Self.attempts { throw error }
        attempt += 1
        switch variant {
        // The server repeats the bytes after the last whole block: unless they are removed, they are duplicated.
        case .planted: break
        case .fixed: data.removeLast(data.count - kept)
        }
        try await pause(backoff.next())
      }
    }
  }
}

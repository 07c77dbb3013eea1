public import Foundation

/// The body of a response as it arrives over the simulated link, byte by byte or in pieces.
///
/// The body can be read once. Unread bytes wait in memory up to 1 MiB, and beyond that in a temporary file. Releasing
/// the last copy of this value cancels the transfer.
public struct SimulatedBytes: AsyncSequence, Sendable {
  /// One byte.
  public typealias Element = UInt8

  /// The body's pieces, as the link delivered them.
  public let chunks: Chunks

  /// Reads the body byte by byte.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(chunks: chunks.makeAsyncIterator())
  }

  /// Reads a body byte by byte.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var chunks: Chunks.AsyncIterator
    var piece = Data()
    var position = 0

    /// Returns the next byte; `nil` after the last.
    public mutating func next() async throws -> UInt8? {
      while position == piece.count {
        guard let next = try await chunks.next() else { return nil }
        piece = next
        position = 0
      }
      defer { position += 1 }
      return piece[piece.startIndex + position]
    }
  }

  /// A body's pieces, as the link delivered them.
  public struct Chunks: AsyncSequence, Sendable {
    /// One piece, never empty.
    public typealias Element = Data

    let call: NetworkCall
    let first: ExchangeOutput

    /// Reads the body piece by piece.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(call: call, pending: first.body, end: first.end)
    }

    /// Reads a body piece by piece.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
      let call: NetworkCall
      var pending: [Data]
      var end: ExchangeOutput.End?

      /// Returns the next piece; `nil` after the last.
      public mutating func next() async throws -> Data? {
        while pending.isEmpty {
          switch end {
          case .finished, .redirected: return nil
          case .failed(let error): throw error.forClient
          case nil:
            let output = try await call.next()
            pending = output.body
            end = output.end
          }
        }
        return pending.removeFirst()
      }
    }
  }
}

/// The outcome of reading damaged documents: each is accepted or refused with one clear line.
public struct FuzzOutcome {
  /// The number of accepted documents.
  public private(set) var accepted = 0
  /// The unclear refusals with the document's number: too long, of several lines, or a raw decoding error.
  public private(set) var unclear: [String] = []

  /// Damages documents and passes each to a reader.
  ///
  /// - Parameters:
  ///   - documents: valid documents, not empty.
  ///   - count: the number of mutations to read.
  ///   - read: reads and uses a document; throws if it refuses it.
  public init(of documents: [[UInt8]], count: Int, read: (_ bytes: [UInt8], _ number: Int) throws -> Void) {
    for number in 0..<count {
      do {
        try read(Mutation.of(documents, number: number, seed: 33, atMost: 2), number)
        accepted += 1
      } catch {
        let text = "\(error)"
        if error is DecodingError || text.contains("\n") || text.utf8.count > 1_000 {
          unclear.append("input \(number): \(text.prefix(300))")
        }
      }
    }
  }
}

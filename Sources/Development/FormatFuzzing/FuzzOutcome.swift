/// The result for damaged documents: a reader must accept each, or refuse it with one clear line.
public struct FuzzOutcome {
  /// The number of accepted documents.
  public private(set) var accepted = 0
  /// Useless refusals, with the document's number: they are long, have several lines, or are a decoder's.
  public private(set) var unclear: [String] = []

  /// Damages documents, and gives each to a reader.
  ///
  /// - Parameters:
  ///   - documents: valid documents, at least one.
  ///   - count: the number of mutations.
  ///   - read: reads a document and uses the result; throws if it is refused.
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

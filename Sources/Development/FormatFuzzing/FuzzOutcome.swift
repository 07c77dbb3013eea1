/// What became of damaged documents: a reader accepts each, or refuses it with one clear line.
public struct FuzzOutcome {
  /// How many were accepted.
  public private(set) var accepted = 0
  /// The refusals that no person can use, with the number of the document: long, of several lines, or a decoder's.
  public private(set) var unclear: [String] = []

  /// Damages documents and hands each to a reader.
  ///
  /// - Parameters:
  ///   - documents: valid ones, not empty.
  ///   - count: how many mutations are read.
  ///   - read: reads a document and uses it; throws where it is refused.
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

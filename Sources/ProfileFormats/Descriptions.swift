import Internals
import NetworkConditions

// What printing a profile from or for another tool shows: its text or numbers, and what did not survive the way.

extension ImportedProfile: CustomStringConvertible {
  /// The profile, then one line for each loss.
  public var description: String {
    Excerpt.of("\(profile)".split(separator: "\n").map { String($0) } + losses.map { "not held: \($0)" })
  }
}

extension ExportedDocument: CustomStringConvertible {
  /// The document's first lines, then one line for each loss.
  public var description: String {
    let document = Excerpt.of(text: text)
    return losses.isEmpty ? document : "\(document)\n\(Excerpt.of(losses.map { "not held: \($0)" }, "loss"))"
  }
}

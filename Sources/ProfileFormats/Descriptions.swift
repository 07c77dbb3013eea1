import Internals
import NetworkConditions

// The text of an imported or exported profile: its content, and what was lost on the way.

extension ImportedProfile: CustomStringConvertible {
  /// The profile, then one line for each loss.
  public var description: String {
    Excerpt.of("\(profile)".split(separator: "\n").map { String($0) } + losses.map { "left out: \($0)" })
  }
}

extension ExportedDocument: CustomStringConvertible {
  /// The document's first lines, then one line for each loss.
  public var description: String {
    let document = Excerpt.of(text: text)
    return losses.isEmpty ? document : "\(document)\n\(Excerpt.of(losses.map { "left out: \($0)" }))"
  }
}

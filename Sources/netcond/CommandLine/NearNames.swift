import Internals

extension NearNames {
  /// The three names that may have been meant, nearest first.
  static func of(_ name: String, among names: [String]) -> [String] {
    find(name, among: names, atMost: 3)
  }

  /// The end of an error's line, such as `; did you mean --profile?`.
  static func question(_ names: [String]) -> String? {
    guard let last = names.last else { return nil }
    let others = names.dropLast().joined(separator: ", ")
    return "; did you mean \(others.isEmpty ? last : "\(others) or \(last)")?"
  }
}

/// A small mistake in a source file that the package's tests must notice.
struct Mutation: Hashable, Sendable {
  /// The module's name, also the name of its list and of its folder in `Sources`.
  var module: String
  /// The number within the module, from 1.
  var number: Int
  /// The file, relative to the module's folder.
  var path: String
  /// The text to replace; the file contains it exactly once.
  var original: String
  var mutated: String
  /// Whether it is a statement, written in braces in the list; otherwise it is an expression.
  var isStatement: Bool
  /// The visible effect.
  var effect: String
  /// Why no test can notice it, if known.
  var reason: String?

  /// The name by which a run selects it, such as `LinkSimulator:17`.
  var name: String { "\(module):\(number)" }
}

/// One small mistake in a source file, which the tests of the package must notice.
struct Mutation: Hashable, Sendable {
  /// The module's name, which is the name of its list and of its folder in `Sources`.
  var module: String
  /// Counts from 1 within the module.
  var number: Int
  /// The file, relative to the module's folder.
  var path: String
  /// The text that is replaced; the file contains it exactly once.
  var original: String
  var mutated: String
  /// Statements stand in braces in the list; everything else is one expression.
  var isStatement: Bool
  /// The wrong behaviour that a user would see.
  var effect: String
  /// Why no test can notice it, if that is known.
  var reason: String?

  /// The name by which a run selects it, such as `LinkSimulator:17`.
  var name: String { "\(module):\(number)" }
}

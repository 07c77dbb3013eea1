/// Which version of an example's client runs: they differ in one line, the fix.
package enum Variant: String, CaseIterable, Sendable {
  /// With the mistake that was planted.
  case planted
  /// Without it.
  case fixed
}

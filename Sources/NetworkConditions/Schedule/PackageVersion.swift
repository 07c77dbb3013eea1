/// The version of this package, by the rules of semver.org.
package enum PackageVersion {
  /// The present version.
  package static let current = "0.1.0"

  /// The part of a version within which equal seeds give equal runs: without the number of the patch.
  static func series(of version: String) -> String {
    version.split(separator: ".").prefix(2).joined(separator: ".")
  }
}

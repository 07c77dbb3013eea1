import Foundation

/// How much tests try: some cases, or each with `NETCOND_THOROUGH=1`, as `.ci/nightly` does.
package enum Thoroughness {
  package static let isWhole = ProcessInfo.processInfo.environment["NETCOND_THOROUGH"] == "1"

  /// Whether a sanitizer is in this process: it answers calls and signals itself, and shows no places.
  package static let isSanitized = ["__asan_init", "__tsan_init"].contains { (symbol: String) in
    dlsym(nil, symbol) != nil
  }

  /// The first so many cases of a test, or all of them.
  package static func cases<Cases: Collection>(_ count: Int, of all: Cases) -> [Cases.Element] {
    Array(isWhole ? all.prefix(all.count) : all.prefix(count))
  }
}

import Foundation

/// How many cases tests try: some, or all with `NETCOND_THOROUGH=1`, as `.ci/nightly` sets.
package enum Thoroughness {
  package static let isWhole = ProcessInfo.processInfo.environment["NETCOND_THOROUGH"] == "1"

  /// Whether this process has a sanitizer, which handles calls and signals itself and shows no places.
  package static let isSanitized = ["__asan_init", "__tsan_init"].contains { (symbol: String) in
    dlsym(nil, symbol) != nil
  }

  /// The first `count` cases of a test, or all of them.
  package static func cases<Cases: Collection>(_ count: Int, of all: Cases) -> [Cases.Element] {
    Array(isWhole ? all.prefix(all.count) : all.prefix(count))
  }
}

import Foundation

/// How many cases tests try: some, or all with `NETCOND_THOROUGH=1`, as `.ci/nightly` does.
package enum Thoroughness {
  package static let isWhole = ProcessInfo.processInfo.environment["NETCOND_THOROUGH"] == "1"

  /// Whether a sanitizer runs in this process: it handles calls and signals itself and hides source locations.
  package static let isSanitized = ["__asan_init", "__tsan_init"].contains { (symbol: String) in
    dlsym(nil, symbol) != nil
  }

  /// The first `count` cases of a test, or all of them.
  package static func cases<Cases: Collection>(_ count: Int, of all: Cases) -> [Cases.Element] {
    Array(isWhole ? all.prefix(all.count) : all.prefix(count))
  }
}

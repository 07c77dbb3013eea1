import Foundation
import Testing

/// Arguments that many calls share.
struct ArgumentOrderTests {
  private static let order = [
    "seed", "seeds", "everyFault", "clients", "startsAnywhere", "pace", "transport", "capturing", "options", "workers",
  ]

  @Test func `common arguments have the same order in every public call`() throws {
    var calls = 0
    for path in SourceTree.files("swift", in: "Sources") where !path.contains("/Development/") {
      // Matches from the name to the body or the end of the declaration.
      for match in try SourceTree.text(path).matches(of: #/public [a-z ]*(?:func \w+|init)[^({]*(\([^{]*)/#) {
        let labels = match.1.matches(of: #/[(,]\s*(\w+)(?: \w+)?: /#).map { String($0.1) }
        let places = labels.compactMap { Self.order.firstIndex(of: $0) }
        guard places.count > 1 else { continue }
        calls += 1
        #expect(places == places.sorted(), "\(path): \(labels)")
      }
    }
    #expect(calls >= 15)
  }
}

import ExampleClients
import ExampleSearches
import Foundation

/// Finds the mistakes of the examples' clients and prints the reports: `swift run -c release Examples [NAME ...]`.
///
/// Searches seeds for some mistakes; for the others, tries every fault.
@main
struct Examples {
  static func main() async throws {
    let names = Array(CommandLine.arguments.dropFirst())
    let searched = ExampleSearch.all.map(\.name)
    let all = ExampleSearch.all + ExampleSearch.explored.filter { !searched.contains($0.name) }
    let known = all.map(\.name)
    if let unknown = names.first(where: { !known.contains($0) }) {
      FileHandle.standardError.write(
        Data("unknown example \(unknown); there are: \(known.joined(separator: ", "))\n".utf8))
      exit(2)
    }
    for example in all where names.isEmpty || names.contains(example.name) {
      print("\(example.name): \(example.mistake)\n")
      for variant in Variant.allCases {
        if variant == .fixed { print("\nThe same without the mistake:\n") }
        if searched.contains(example.name) {
          print(try await example.run(variant, seeds: 0..<(variant == .planted ? 10_000 : 1_000)))
        } else {
          print(try await example.explore(variant, upTo: example.bound))
        }
      }
    }
  }
}

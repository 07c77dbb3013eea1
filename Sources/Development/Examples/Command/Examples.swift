import ExampleClients
import ExampleSearches
import Foundation

/// Finds the mistakes of the examples' clients and prints the reports: `swift run -c release Examples [NAME ...]`.
@main
struct Examples {
  static func main() async throws {
    let names = Array(CommandLine.arguments.dropFirst())
    let known = ExampleSearch.all.map(\.name)
    if let unknown = names.first(where: { !known.contains($0) }) {
      FileHandle.standardError.write(
        Data("unknown example \(unknown); there are: \(known.joined(separator: ", "))\n".utf8))
      exit(2)
    }
    for example in ExampleSearch.all where names.isEmpty || names.contains(example.name) {
      print("\(example.name): \(example.mistake)\n")
      print(try await example.run(.planted, seeds: 0..<10_000))
      print("\nThe same without the mistake:\n\(try await example.run(.fixed, seeds: 0..<1_000))\n\n")
    }
  }
}

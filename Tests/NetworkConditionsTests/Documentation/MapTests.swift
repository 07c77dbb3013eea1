import Foundation
import Testing

/// The page `TheMap` and its picture, compared with the manifest and the folders.
struct MapTests {
  private static let page = "Sources/NetworkConditions/NetworkConditions.docc/TheMap.md"
  private static let picture = "Sources/NetworkConditions/NetworkConditions.docc/Resources/map.svg"

  /// The shipped modules and the imports of each, from the manifest.
  private static func imports() throws -> [String: Set<String>] {
    let target = /\.(?:target|executableTarget)\(\s*name: "(\w+)"(.*?)swiftSettings/.dotMatchesNewlines()
    var imports: [String: Set<String>] = [:]
    let targets = try SourceTree.text("Package.swift").matches(of: target)
    let others = targets.filter { $0.2.contains("Sources/Development") }.map { String($0.1) }
    for match in targets where !match.2.contains("Sources/Development") {
      let names = match.2.matches(of: /"(\w+)"/).map { String($0.1) }
      imports[String(match.1)] = Set(names).subtracting(["m", "Profiles", "Everyday", "Tools"] + others)
    }
    return imports
  }

  @Test func `the map's picture draws exactly the direct imports of the manifest, downward`() throws {
    let imports = try Self.imports()
    func all(of module: String) -> Set<String> {
      (imports[module] ?? []).reduce(into: imports[module] ?? []) { $0.formUnion(all(of: $1)) }
    }
    var wanted: Set<String> = []
    for (module, targets) in imports {
      for target in targets where !targets.contains(where: { $0 != target && all(of: $0).contains(target) }) {
        wanted.insert("\(module)-\(target)")
      }
    }
    var tops: [String: Double] = [:]
    let picture = try SourceTree.text(Self.picture)
    for match in picture.matches(of: /class="room"[^>]*?y="(\d+)"[^>]*\/>\s*<text class="name"[^>]*>(\w+)</) {
      tops[String(match.2)] = Double(match.1)
    }
    #expect(Set(tops.keys) == Set(imports.keys))
    let drawn = picture.matches(of: /class="arrow" id="(\w+)-(\w+)"/)
    #expect(Set(drawn.map { "\($0.1)-\($0.2)" }) == wanted)
    for arrow in drawn { #expect(try #require(tops[String(arrow.1)]) < #require(tops[String(arrow.2)])) }
  }

  /// As the page "On Apple platforms" states.
  @Test func `only the platform folders contain code for one platform`() throws {
    let others = ["/Platform/", "Sources/URLLoading/", "Sources/ClientCapture/", "Sources/Development/"]
    let question = /^ *#(if|elseif) .*(canImport\((FoundationNetworking|Darwin|ObjectiveC|Glibc|Musl)\)|os\()/
    let files = SourceTree.files("swift", in: "Sources")
    #expect(!files.isEmpty)
    var places: Set<String> = []
    for path in files where !others.contains(where: path.contains) {
      let lines = try SourceTree.text(path).split(separator: "\n")
      for (line, next) in zip(lines, lines.dropFirst()) where line.contains(question) {
        if !next.contains("import ") || path.hasPrefix("Sources/Internals/") { places.insert(path) }
      }
    }
    // Linux tools that inspect locks.
    #expect(places.sorted() == ["Innermost", "Mutex"].map { "Sources/Internals/Concurrency/\($0).swift" })
  }

  @Test func `the map's page names every module, and its paths exist`() throws {
    let page = try SourceTree.text(Self.page)
    for module in try Self.imports().keys { #expect(page.contains(module)) }
    let paths = page.matches(of: /`((?:Sources|Profiles|Tests)\/[^`]+)`/).map { String($0.1) }
    #expect(paths.count >= 10)
    for path in paths { #expect(SourceTree.has(path), "\(path)") }
  }

  @Test func `each word of the glossary occurs in the file that the glossary names`() throws {
    let files = SourceTree.files("swift", in: "Sources")
    let page = try SourceTree.text("Sources/NetworkConditions/NetworkConditions.docc/Glossary.md")
    let rows = page.matches(of: /\n\| ([a-z ]+) \| [^|]+ \| `(\w+)` \|/)
    #expect(rows.count == 40)
    for row in rows {
      let home = try #require(files.first { $0.hasSuffix("/\(row.2).swift") }, "\(row.2)")
      #expect(try SourceTree.text(home).localizedCaseInsensitiveContains(row.1), "\(row.1)")
    }
  }
}

// Reads from the compiler which system versions each target's names need, and in libraries the integers above 32 bits.
//
// `.ci/apple whole` compiles this, runs it over the copy that it has built, and compares the output with
// availability.txt. The annotations come from the toolchain's modules (`swift-symbolgraph-extract`), which have the
// same sources as Apple's. The names come from the syntax tree after type checking (`-dump-ast`).
import Foundation

struct Broken: Error, CustomStringConvertible {
  let description: String
}

let scratch = CommandLine.arguments[1]
let folder = FileManager.default.temporaryDirectory.appendingPathComponent("availability-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

func run(_ words: [String]) throws {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: words[0])
  process.arguments = Array(words.dropFirst())
  process.currentDirectoryURL = URL(fileURLWithPath: scratch)
  process.standardOutput = FileHandle.nullDevice
  try process.run()
  process.waitUntilExit()
  guard process.terminationStatus == 0 else { throw Broken(description: "failed: \(words.prefix(4))") }
}

/// One module of the copy, with the arguments that the build gave the compiler.
struct Target {
  let name: String
  let compiler: String
  var options: [String] = []
  var files: [String] = []

  /// Reads a line of the build plan; `nil` if the line compiles no module.
  init?(_ line: String) throws {
    guard line.hasPrefix("args: ["), line.contains("\"-emit-module\""), let data = line.dropFirst(6).data(using: .utf8),
      let words = try? JSONDecoder().decode([String].self, from: data), words[1] == "-module-name"
    else { return nil }
    (compiler, name) = (words[0], words[2])
    for (word, next) in zip(words, words.dropFirst()) {
      let takesOne = [
        "-I", "-target", "-module-cache-path", "-swift-version", "-enable-upcoming-feature", "-package-name", "-Xcc",
      ]
      if takesOne.contains(word) { options += [word, next] }
      if word.hasPrefix("-D") || word == "-parse-as-library" { options.append(word) }
      if word.hasPrefix("@") {
        files = try String(contentsOfFile: String(word.dropFirst()), encoding: .utf8).split(separator: "\n").map(
          String.init)
      }
    }
  }

  /// Whether the module is a part of the product.
  var isLibrary: Bool { files.first.map { $0.contains("/Sources/") && !$0.contains("/Development/") } ?? false }

  /// The syntax trees of its files, after type checking.
  func trees() throws -> [(file: String, tree: Data)] {
    let plugins = URL(fileURLWithPath: compiler).deletingLastPathComponent().appendingPathComponent(
      "../lib/swift/host/plugins")
    var words = [
      compiler, "-frontend", "-dump-ast", "-dump-ast-format", "json", "-suppress-warnings",
      "-module-name", name, "-plugin-path", plugins.path,
    ]
    let outputs = files.indices.map { folder.appendingPathComponent("\(name)-\($0).json") }
    for file in files { words += ["-primary-file", file] }
    for output in outputs { words += ["-o", output.path] }
    try run(words + options)
    return try zip(files, outputs).map { ($0, try Data(contentsOf: $1)) }
  }
}

/// The declarations that a tree names.
///
/// Finds all strings that begin with `s:` byte by byte, because trees are large.
func names(in tree: Data) -> Set<String> {
  let (quote, s, colon) = (UInt8(ascii: "\""), UInt8(ascii: "s"), UInt8(ascii: ":"))
  return tree.withUnsafeBytes { bytes in
    var names: Set<String> = []
    var place = 0
    while place + 3 < bytes.count {
      guard bytes[place] == quote, bytes[place + 1] == s, bytes[place + 2] == colon else {
        place += 1
        continue
      }
      let begin = place + 1
      place = begin
      while place < bytes.count, bytes[place] != quote { place += 1 }
      names.insert(String(decoding: bytes[begin..<place], as: UTF8.self))
    }
    return names
  }
}

/// The numbers of a tree that do not fit into 32 bits.
struct Findings {
  var wide: [String] = []

  private static func value(_ literal: String) -> UInt64 {
    let digits = literal.filter { $0 != "_" }
    let radix = ["0x": 16, "0b": 2, "0o": 8][digits.prefix(2)] ?? 10
    return UInt64(digits.dropFirst(radix == 10 ? 0 : 2), radix: radix) ?? .max
  }

  mutating func read(_ node: Any) {
    if let list = node as? [Any] { return list.forEach { read($0) } }
    guard let node = node as? [String: Any] else { return }
    switch (node["_kind"] as? String, node["type"] as? String) {
    case ("integer_literal_expr", "$sSiD"?), ("integer_literal_expr", "$sSuD"?):
      // `Int.min` is written as the negative of a number that is too large for `Int`.
      if let text = node["value"] as? String, Self.value(text) > 1 << 31 { wide.append(text) }
    case ("binary_expr", "$sSiD"?), ("binary_expr", "$sSuD"?):
      let arguments = (node["args"] as? [String: Any])?["args"] as? [[String: Any]] ?? []
      if let places = (arguments.last?["expr"] as? [String: Any])?["value"] as? String, let count = Int(places),
        count > 30,
        "\(node["fn"] ?? "")".contains("2ll")
      {
        wide.append("<< \(places)")
      }
    default: break
    }
    node.values.forEach { read($0) }
  }
}

/// The versions that introduced each declaration, by the declaration's name in the compiler.
func annotations(beside compiler: String) throws -> [String: (name: String, versions: [String: [Int]])] {
  let tool = URL(fileURLWithPath: compiler).deletingLastPathComponent().appendingPathComponent(
    "swift-symbolgraph-extract")
  var found: [String: (name: String, versions: [String: [Int]])] = [:]
  let modules = [
    "Swift", "_Concurrency", "_StringProcessing", "Synchronization", "Foundation", "FoundationEssentials", "Dispatch",
    "Testing",
  ]
  for module in modules {
    try run([
      tool.path, "-module-name", module, "-target", "x86_64-unknown-linux-gnu", "-output-dir", folder.path,
      "-minimum-access-level", "public",
    ])
  }
  for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
  where file.lastPathComponent.hasSuffix(".symbols.json") {
    let graph = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
    for symbol in graph?["symbols"] as? [[String: Any]] ?? [] {
      guard let id = (symbol["identifier"] as? [String: Any])?["precise"] as? String,
        let path = symbol["pathComponents"] as? [String]
      else { continue }
      for note in symbol["availability"] as? [[String: Any]] ?? [] {
        guard let system = note["domain"] as? String, let version = note["introduced"] as? [String: Int] else {
          continue
        }
        found[id, default: (path.joined(separator: "."), [:])].versions[system] = [
          version["major"] ?? 0, version["minor"] ?? 0,
        ]
      }
    }
  }
  return found
}

/// The minimum system versions of the manifest.
var floors: [String: [Int]] = [:]
for match in try String(contentsOfFile: "Package.swift", encoding: .utf8).matches(of: /\.([a-z]+OS)\(\.v(\d+)\)/) {
  floors[String(match.1)] = [Int(match.2) ?? 0, 0]
}
let plan = try String(contentsOfFile: "\(scratch)/.build/debug.yaml", encoding: .utf8)
let targets = try plan.split(separator: "\n").compactMap { try Target($0.trimmingCharacters(in: .whitespaces)) }
guard let compiler = targets.first?.compiler, floors.count == 5 else {
  throw Broken(description: "no plan, or no manifest")
}
let known = try annotations(beside: compiler)
var isBroken = false
for target in targets.sorted(by: { $0.name < $1.name }) {
  var used: Set<String> = []
  for (file, tree) in try target.trees() {
    used.formUnion(names(in: tree))
    var findings = Findings()
    if target.isLibrary { findings.read(try JSONSerialization.jsonObject(with: tree)) }
    for number in findings.wide {
      print("\(file): \(number) is no Int of 32 bits: say Int64")
      isBroken = true
    }
  }
  // macOS 13 and iOS 16 were released together, and so were macOS 15 and iOS 18.
  var newer: [Int: Set<String>] = [:]
  for (name, versions) in used.compactMap({ known[$0] }) {
    for (system, version) in versions {
      if let floor = floors[system], floor.lexicographicallyPrecedes(version) {
        print("\(target.name): \(name) needs \(system) \(version[0]).\(version[1])")
        isBroken = true
      }
    }
    if target.isLibrary, let version = versions["macOS"], version[0] > 13 {
      newer[version[0], default: []].insert(String(name.prefix { $0 != "." }))
    }
  }
  for (version, names) in newer.sorted(by: { $0.key < $1.key }) {
    print("\(target.name), macOS \(version): \(names.sorted().joined(separator: ", "))")
  }
}
exit(isBroken ? 1 : 0)

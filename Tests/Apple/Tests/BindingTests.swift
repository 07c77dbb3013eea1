import AppleFoundation
import Testing

/// The doubles declare what Apple's headers declare, and delegate methods have exactly the same signatures.
///
/// Most delegate methods are optional in Objective-C: a method with a slightly different signature is never called.
struct BindingTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The words of each line of this kind in bindings.txt.
  private static func bindings(_ kind: String) throws -> [[String]] {
    try text("Tests/Apple/bindings.txt").split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
      .filter { $0.first == kind }.map { Array($0.dropFirst()) }
  }

  private static func isSendable<T>(_: T.Type) -> Bool { false }
  private static func isSendable<T: Sendable>(_: T.Type) -> Bool { true }

  @Test func `each class and protocol of the test double is Sendable exactly where Apple's is`() throws {
    let doubles = [
      "URLSession": Self.isSendable(URLSession.self),
      "URLSessionTask": Self.isSendable(URLSessionTask.self),
      "URLSessionDataTask": Self.isSendable(URLSessionDataTask.self),
      "URLSessionUploadTask": Self.isSendable(URLSessionUploadTask.self),
      "URLSessionDownloadTask": Self.isSendable(URLSessionDownloadTask.self),
      "URLSessionConfiguration": Self.isSendable(URLSessionConfiguration.self),
      "URLSessionDelegate": Self.isSendable((any URLSessionDelegate).self),
      "URLSessionTaskDelegate": Self.isSendable((any URLSessionTaskDelegate).self),
      "URLSessionDataDelegate": Self.isSendable((any URLSessionDataDelegate).self),
      "URLSessionDownloadDelegate": Self.isSendable((any URLSessionDownloadDelegate).self),
      "URLProtocol": Self.isSendable(URLProtocol.self),
      "URLProtocolClient": Self.isSendable((any URLProtocolClient).self),
    ]
    let bindings = try Dictionary(uniqueKeysWithValues: Self.bindings("type").map { ($0[0], $0[1] == "sendable") })
    #expect(doubles == bindings)
  }

  @Test func `the list of Apple's declarations names every public type of the test double`() throws {
    let folder = Self.root.appendingPathComponent("Tests/Apple/URLLoading")
    var declared: Set<String> = []
    for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: /\n(open class|public protocol) (\w+)/) { declared.insert(String(match.2)) }
    }
    #expect(try declared == Set(Self.bindings("type").map { $0[0] }))
  }

  @Test func `every listed Apple type and call exists on the oldest iOS and macOS of the manifest`() throws {
    let manifest = try Self.text("Package.swift")
    func floor(_ name: Regex<(Substring, Substring)>) throws -> Double {
      try #require(manifest.firstMatch(of: name).flatMap { Double($0.1) })
    }
    let (iOS, macOS) = (try floor(/\.iOS\(\.v(\d+)\)/), try floor(/\.macOS\(\.v(\d+)\)/))
    for words in try Self.bindings("type") + Self.bindings("call") {
      let versions = words.suffix(2).compactMap { Double($0) }
      #expect(versions.count == 2 && versions[0] <= iOS && versions[1] <= macOS, "\(words)")
    }
  }

  /// The name of a method as Swift prints it, and the types of its parameters.
  private static func signatures(in text: String) -> [(name: String, types: [String])] {
    text.components(separatedBy: "func urlSession(").dropFirst().map { rest in
      var (depth, parameters) = (1, [""])
      for character in rest {
        if "([".contains(character) { depth += 1 }
        if ")]".contains(character) { depth -= 1 }
        if depth == 0 { break }
        if character == ",", depth == 1 {
          parameters.append("")
        } else {
          parameters[parameters.count - 1].append(character)
        }
      }
      let parts = parameters.map { $0.split(separator: ":", maxSplits: 1).map(String.init) }
      let labels = parts.map { "\($0[0].split(whereSeparator: \.isWhitespace)[0]):" }
      let types = parts.map { part in
        part[1].split(whereSeparator: \.isWhitespace).filter { $0 != "any" }.joined(separator: " ")
          .replacing("(any Error)?", with: "Error?")
      }
      return ("urlSession(\(labels.joined()))", types)
    }
  }

  @Test func `every delegate method has exactly the signature that Apple declares`() throws {
    let bindings = try Self.bindings("method")
    let declared = try Self.signatures(in: Self.text("Tests/Apple/URLLoading/Delegates.swift"))
    #expect(Set(declared.map(\.name)) == Set(bindings.map { $0[0] }))
    for words in bindings {
      let types = try #require(declared.first { $0.name == words[0] }).types
      #expect(types[types.count - 1].hasPrefix("@escaping @Sendable") == (words[2] == "block"), "\(words[0])")
      // A selector has one colon for each parameter.
      #expect(words[1].count { $0 == ":" } == types.count)
    }
    var found = 0
    for folder in ["Sources", "Tests"] {
      let files = FileManager.default.enumerator(
        at: Self.root.appendingPathComponent(folder), includingPropertiesForKeys: nil)?.allObjects
      for case let file as URL in files ?? [] where file.pathExtension == "swift" && file.path != #filePath {
        for method in Self.signatures(in: try String(contentsOf: file, encoding: .utf8)) {
          found += 1
          #expect(
            declared.contains { $0 == method }, "\(method.name) in \(file.lastPathComponent) would never be called")
        }
      }
    }
    #expect(found > 30)
  }
}

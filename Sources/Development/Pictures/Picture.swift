package import Foundation
import NetworkConditions

/// Draws the documentation's pictures; tests redraw them and compare them with the files.
package enum Picture {
  /// The package's folder.
  package static let root: URL = {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { root.deleteLastPathComponent() }
    return root
  }()

  /// Whether a file in a module's documentation equals this text.
  ///
  /// With `NETCOND_PICTURES=write` in the environment it first writes the file.
  package static func isCurrent(_ name: String, of module: String, _ text: String) throws -> Bool {
    let file = root.appendingPathComponent("Sources/\(module)/\(module).docc/Resources/\(name)")
    if ProcessInfo.processInfo.environment["NETCOND_PICTURES"] == "write" {
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    return try String(contentsOf: file, encoding: .utf8) == text
  }

  /// Compares documents with the versions that a person last reviewed, and returns a message for each change.
  ///
  /// - Parameter documents: each document's file name, its current text, and the `TraceHash` of the reviewed text.
  package static func changes(of documents: (name: String, text: String, hash: String)...) throws -> [String] {
    try documents.compactMap { name, text, former in
      var hash = TraceHash()
      hash.add(text)
      if hash.description == former { return nil }
      let file = FileManager.default.temporaryDirectory.appendingPathComponent(name)
      try Data(text.utf8).write(to: file)
      return "\(name) has changed: look at \(file.path). If it is right, its hash is \"\(hash)\"."
    }
  }

  /// Draws printed lines as a terminal shows them.
  ///
  /// - Parameters:
  ///   - lines: the text, without `&` and `<`.
  ///   - title: the description for screen readers.
  package static func terminal(_ lines: String, title: String) -> String {
    let rows = lines.split(separator: "\n", omittingEmptySubsequences: false)
    let width = 32 + (rows.map(\.count).max() ?? 0) * 8
    let height = rows.count * 20 + 24
    let texts = rows.enumerated().map { number, row in
      "<text x=\"16\" y=\"\(26 + 20 * number)\" xml:space=\"preserve\">\(row)</text>"
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)">
      <title>\(title)</title>
      <style>
      svg { font: 13px ui-monospace, Menlo, "DejaVu Sans Mono", monospace; } rect { fill: #f6f8fa; } text { fill: #1f2328; }
      @media (prefers-color-scheme: dark) { rect { fill: #151b23; } text { fill: #e6edf3; } }
      </style>
      <rect width="\(width)" height="\(height)" rx="6"/>
      \(texts.joined(separator: "\n"))
      </svg>

      """
  }
}

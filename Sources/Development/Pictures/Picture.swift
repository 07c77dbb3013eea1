package import Foundation

/// Pictures of the documentation.
///
/// Tests draw them again and compare them with the files.
package enum Picture {
  /// The package's folder.
  package static let root: URL = {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { root.deleteLastPathComponent() }
    return root
  }()

  /// Whether a file of a module's documentation is this text.
  ///
  /// With `NETCOND_PICTURES=write` in the environment the file is written first.
  package static func isCurrent(_ name: String, of module: String, _ text: String) throws -> Bool {
    let file = root.appendingPathComponent("Sources/\(module)/\(module).docc/Resources/\(name)")
    if ProcessInfo.processInfo.environment["NETCOND_PICTURES"] == "write" {
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    return try String(contentsOf: file, encoding: .utf8) == text
  }

  /// Says where a document lies that differs from the one that somebody last looked at; `nil` if it is the same.
  ///
  /// - Parameters:
  ///   - hash: the FNV-1a hash of that document, in hexadecimal digits.
  ///   - name: the file's name.
  package static func change(of text: String, since hash: String, _ name: String) throws -> String? {
    var number: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { number = (number ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    let new = String(number, radix: 16)
    if new == hash { return nil }
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(name)
    try Data(text.utf8).write(to: file)
    return "\(name) has changed: look at \(file.path). If it is right, its hash is \"\(new)\"."
  }

  /// Printed lines as a picture, as a terminal shows them.
  ///
  /// - Parameters:
  ///   - lines: the text; it has to be free of `&` and `<`.
  ///   - title: what it shows, for readers who do not see it.
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

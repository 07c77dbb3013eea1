import Foundation

/// A copy of the package whose sources contain every mutation behind a switch.
struct MutatedPackage {
  let root: URL
  let copy: URL
  let lists: [MutationList]

  init(root: URL) throws {
    self.root = root
    copy = root.appending(path: ".build/mutations/package")
    lists = try MutationList.all(in: root)
  }

  /// The mutated files by path within the package, the mutations' lines, and the lists' mistakes.
  func mutatedFiles() throws -> (texts: [String: String], lines: [String: Int], mistakes: [String]) {
    var texts: [String: String] = [:]
    var lines: [String: Int] = [:]
    var mistakes: [String] = []
    for list in lists {
      texts["Sources/\(list.module)/IsMutant.swift"] = MutatedSource.support(module: list.module)
      for (path, mutations) in Dictionary(grouping: list.mutations, by: \.path) {
        let file = "Sources/\(list.module)/\(path)"
        guard let text = try? String(contentsOf: root.appending(path: file), encoding: .utf8) else {
          mistakes.append("\(list.module): \(path) is not there. Bring the list up to date.")
          continue
        }
        let source = MutatedSource(text, mutations)
        texts[file] = source.text
        mistakes += source.mistakes
        for mutation in mutations { lines[mutation.name] = source.lines[mutation.number] }
      }
    }
    return (texts, lines, mistakes.sorted())
  }

  /// The suites of the test folder that mirrors the mutated file's folder; they run first.
  func mirroringSuites(of mutation: Mutation, in target: String) -> [String] {
    let folder = URL(filePath: mutation.path).deletingLastPathComponent().relativePath
    let tests = root.appending(path: "Tests/\(target)/\(folder)")
    let files = (try? FileManager.default.contentsOfDirectory(at: tests, includingPropertiesForKeys: nil)) ?? []
    return files.filter { $0.pathExtension == "swift" }.flatMap { file in
      let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
      return text.matches(of: #/struct (\w+Tests)\b/#).map { String($0.1) }
    }.sorted()
  }

  /// Updates the copy; unchanged files stay untouched, so that the build is incremental.
  func write(_ texts: [String: String]) throws {
    let files = FileManager.default
    var wanted = Set(texts.keys)
    for top in try files.contentsOfDirectory(atPath: root.path) where top != ".build" && top != ".git" {
      for path in try paths(under: top) {
        wanted.insert(path)
        if texts[path] == nil { try put(Data(contentsOf: root.appending(path: path)), at: path) }
      }
    }
    for (path, text) in texts { try put(Data(text.utf8), at: path) }
    for top in try files.contentsOfDirectory(atPath: copy.path) where top != ".build" {
      for path in try paths(under: top, of: copy) where !wanted.contains(path) {
        try files.removeItem(at: copy.appending(path: path))
      }
    }
  }

  private func paths(under top: String, of folder: URL? = nil) throws -> [String] {
    let start = (folder ?? root).appending(path: top)
    guard (try? start.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true else { return [top] }
    return try FileManager.default.subpathsOfDirectory(atPath: start.path).filter {
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: start.appending(path: $0).path, isDirectory: &isFolder)
        && !isFolder.boolValue
    }.map { "\(top)/\($0)" }
  }

  private func put(_ data: Data, at path: String) throws {
    let target = copy.appending(path: path)
    guard (try? Data(contentsOf: target)) != data else { return }
    try FileManager.default.createDirectory(at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: target)
    let original = try? FileManager.default.attributesOfItem(atPath: root.appending(path: path).path)
    if let mode = original?[.posixPermissions] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: target.path)
    }
  }
}

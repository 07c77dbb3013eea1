import BuiltInProfiles
import Foundation
import Testing

@testable import NetworkConditions

/// The catalogue in the package and the folders from which it is generated.
///
/// After a change of a JSON file in `Profiles/`, this command regenerates the Swift file:
/// `NETCOND_WRITE_PROFILES=1 swift test --filter CatalogueFolderTests`.
struct CatalogueFolderTests {
  private let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent()  // Profile
    .deletingLastPathComponent()  // NetworkConditionsTests
    .deletingLastPathComponent()  // Tests
    .deletingLastPathComponent()
    .appendingPathComponent("Profiles", isDirectory: true)

  @Test
  func `the generated profile catalogue is up to date with its JSON files`() throws {
    let file = folder.appendingPathComponent("BuiltInProfiles.swift")
    let expected = try generated()
    if ProcessInfo.processInfo.environment["NETCOND_WRITE_PROFILES"] != nil {
      try Data(expected.utf8).write(to: file)
    }
    #expect(
      try String(contentsOf: file, encoding: .utf8) == expected, "Write it anew with NETCOND_WRITE_PROFILES=1.")
  }

  @Test(arguments: BuiltInProfiles.files.map(\.name))
  func `an embedded profile file has the bytes of the file in its folder`(name: String) throws {
    let listed = try #require(BuiltInProfiles.files.first { $0.name == name })
    let inFolder = try Data(contentsOf: #require(inFolders().first { $0.lastPathComponent == name }))
    #expect(Data(listed.bytes) == inFolder)
  }

  @Test
  func `no profile name or alias appears twice, ignoring case`() throws {
    var owners: [String: String] = [:]
    for file in BuiltInProfiles.files {
      for profile in try profiles(in: file) {
        for word in try names(profile) {
          let earlier = owners.updateValue(file.name, forKey: word.lowercased())
          #expect(earlier == nil, "\(word) stands in \(file.name) and in \(earlier ?? "")")
        }
      }
    }
    #expect(!owners.isEmpty)
  }

  @Test
  func `the rules of the built-in profiles use known profiles and form no circle`() throws {
    for file in BuiltInProfiles.files {
      for entry in try NetworkProfileFormat.entries(in: Data(file.bytes), file: file.name) {
        try RuleCheck.check(entry, file: file.name)
      }
    }
  }

  @Test
  func `every built-in profile has a summary and a source`() throws {
    for file in BuiltInProfiles.files {
      let shared = try object(in: file)["source"] as? String
      for profile in try profiles(in: file) {
        let name = profile["name"] as? String ?? "a profile without a name"
        #expect((profile["summary"] as? String)?.isEmpty == false, "\(name) in \(file.name)")
        #expect((profile["source"] as? String ?? shared)?.isEmpty == false, "\(name) in \(file.name)")
      }
    }
  }

  /// The Swift file: string literals compile a hundred times faster than the bytes that SwiftPM would embed.
  private func generated() throws -> String {
    let files = try inFolders().map { url in
      let text = try String(contentsOf: url, encoding: .utf8)
      let names = try profiles(in: (url.lastPathComponent, [], Array(text.utf8))).flatMap(names)
      return ##"    ("\##(url.lastPathComponent)", \##(names), Array(#"""\##n\##(text)\##n"""#.utf8)),"##
    }
    return """
      // swift-format-ignore-file
      // Generated from the JSON files below this folder. CatalogueFolderTests says how to write it anew.

      /// The profiles that come with the package, as the bytes of their JSON files.
      public enum BuiltInProfiles {
        /// One file: its name, the names and aliases of its profiles, and its bytes.
        public typealias File = (name: String, names: [String], bytes: [UInt8])
        /// Every file of the folders beside this one, in the order of their names.
        public static let files: [File] = [
      \(files.joined(separator: "\n"))
        ]
      }

      """
  }

  /// Every JSON file below `Profiles/`, in the order of the names.
  private func inFolders() -> [URL] {
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects ?? []
    return files.compactMap { $0 as? URL }.filter { $0.pathExtension == "json" }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
  }

  private func object(in file: BuiltInProfiles.File) throws -> [String: Any] {
    let parsed = try JSONSerialization.jsonObject(with: Data(file.bytes))
    return try #require(parsed as? [String: Any], "\(file.name) is no JSON object")
  }

  private func names(_ profile: [String: Any]) throws -> [String] {
    let name = try #require(profile["name"] as? String, "a profile has no name")
    return [name] + (profile["aliases"] as? [String] ?? [])
  }

  /// The profiles of a file: a collection, or a single profile.
  private func profiles(in file: BuiltInProfiles.File) throws -> [[String: Any]] {
    let object = try object(in: file)
    guard let collection = object["profiles"] else { return [object] }
    return try #require(collection as? [[String: Any]], "\(file.name): profiles is not a list of objects")
  }
}

import BuiltInProfiles
import Foundation
import Testing

/// The catalogue in the package and the folders it is made from.
///
/// A file that is added to a folder of `Profiles/` is embedded as it is, and has a line in `BuiltInProfiles.swift`. These
/// tests say which line was forgotten.
struct CatalogueFolderTests {
  private let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent()  // Profile
    .deletingLastPathComponent()  // NetworkConditionsTests
    .deletingLastPathComponent()  // Tests
    .deletingLastPathComponent()
    .appendingPathComponent("Profiles", isDirectory: true)

  @Test
  func `the catalogue lists every JSON file of the folders, in the order of their names`() {
    #expect(BuiltInProfiles.files.map(\.name) == inFolders().map(\.lastPathComponent))
  }

  /// An accessor named for another file compiles, so the bytes are compared, too.
  @Test(arguments: BuiltInProfiles.files.map(\.name))
  func `a file's bytes are the bytes in its folder`(name: String) throws {
    let listed = try #require(BuiltInProfiles.files.first { $0.name == name })
    let inFolder = try Data(contentsOf: #require(inFolders().first { $0.lastPathComponent == name }))
    #expect(Data(listed.bytes) == inFolder)
  }

  /// SwiftPM makes the name of an accessor from the name of a file and turns a leading digit into an underscore.
  @Test
  func `a file's name begins with a letter`() {
    for file in BuiltInProfiles.files {
      #expect(file.name.first?.isLetter == true, "\(file.name)")
    }
  }

  @Test
  func `no name or alias appears twice, whatever its case`() throws {
    var owners: [String: String] = [:]
    for file in BuiltInProfiles.files {
      for profile in try profiles(in: file) {
        let name = try #require(profile["name"] as? String, "\(file.name) has a profile without a name")
        for word in [name] + (profile["aliases"] as? [String] ?? []) {
          let earlier = owners.updateValue(file.name, forKey: word.lowercased())
          #expect(earlier == nil, "\(word) stands in \(file.name) and in \(earlier ?? "")")
        }
      }
    }
    #expect(!owners.isEmpty)
  }

  @Test
  func `every profile says what it is and where its numbers come from`() throws {
    for file in BuiltInProfiles.files {
      let shared = try object(in: file)["source"] as? String
      for profile in try profiles(in: file) {
        let name = profile["name"] as? String ?? "a profile without a name"
        #expect((profile["summary"] as? String)?.isEmpty == false, "\(name) in \(file.name)")
        #expect((profile["source"] as? String ?? shared)?.isEmpty == false, "\(name) in \(file.name)")
      }
    }
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

  /// The profiles of a collection, or the one profile that the file is.
  private func profiles(in file: BuiltInProfiles.File) throws -> [[String: Any]] {
    let object = try object(in: file)
    guard let collection = object["profiles"] else { return [object] }
    return try #require(collection as? [[String: Any]], "\(file.name): profiles is no list of objects")
  }
}

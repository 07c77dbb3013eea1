import Foundation
import NetworkConditions

/// The folder with an archive's body files; no path may leave it.
struct BodyFolder {
  let folder: URL?
  let archive: String

  enum Finding {
    case file(URL, size: Int64)
    case missing(String)
  }

  /// Finds a file in the folder; throws an error when the path leaves the folder, by `..` or by a symbolic link.
  func find(_ path: String, at place: String) throws(ProfileError) -> Finding {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    // Backslashes and colons leave the folder only on other systems, but no recorder writes them.
    guard !path.isEmpty, !path.hasPrefix("/"), !path.utf8.contains(0), !parts.contains(".."),
      !path.contains("\\"), !path.contains(":")
    else { throw refusal(path, place, "leads out of the archive's folder") }
    guard let folder else { return .missing("the archive was not read from a file, so it has no folder") }
    let root = folder.resolvingSymlinksInPath().standardizedFileURL
    let file = root.appendingPathComponent(path)
    guard let real = Self.real(file.path) else { return .missing("there is no file \(path.quoted)") }
    guard let realRoot = Self.real(root.path), real.hasPrefix(realRoot == "/" ? "/" : realRoot + "/") else {
      throw refusal(path, place, "is a symbolic link that leads out of the archive's folder")
    }
    let attributes = try? FileManager.default.attributesOfItem(atPath: real)
    guard attributes?[.type] as? FileAttributeType == .typeRegular, let size = attributes?[.size] as? NSNumber else {
      return .missing("\(path.quoted) is not an ordinary file")
    }
    return .file(URL(fileURLWithPath: real), size: size.int64Value)
  }

  private func refusal(_ path: String, _ place: String, _ reason: String) -> ProfileError {
    .value(
      file: archive, path: place,
      reason: "\(path.quoted) \(reason); a body's file must be in it, for example \"NAME.bodies/1-response\"")
  }

  private static func real(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

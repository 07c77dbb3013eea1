import Foundation

/// A kind of JSON document: its name in errors and its largest size.
package struct DocumentKind: Hashable, Sendable {
  package let name: String
  let usualSize: String
  /// The largest size in bytes, a whole number of MiB.
  let largestSize: Int
  /// Whether to read `NaN` and `Infinity`, which many tools write, so that an error can name their place.
  let takesNonNumbers: Bool

  /// A profile, or a list of them; only a delivery trace makes one large, and none needs more than 16 MiB.
  package static let profile = DocumentKind("a profile", usually: "a few kilobytes", atMostMebibytes: 16)

  package init(
    _ name: String, usually usualSize: String, atMostMebibytes mebibytes: Int, takesNonNumbers: Bool = false
  ) {
    self.name = name
    self.usualSize = usualSize
    largestSize = mebibytes << 20
    self.takesNonNumbers = takesNonNumbers
  }

  /// Reads a document from a file; throws if it is something else, such as a folder or an endless device.
  package func value(contentsOf url: URL) throws(ProfileError) -> FormatReader {
    try value(json: try read(url), file: url.lastPathComponent)
  }

  package func value(json: Data, file: String) throws(ProfileError) -> FormatReader {
    FormatReader(value: try JSONParser.parse(json, file: file, as: self), file: file, path: "")
  }

  /// Reads a file; rejects one that is too large by its size, without reading it.
  func read(_ url: URL) throws(ProfileError) -> Data {
    try Data(ordinaryFile: url, atMost: largestSize) { tooLarge(file: url.lastPathComponent, size: $0) }
  }

  /// A document's bytes, if it is UTF-8 text and not too large.
  func bytes(of json: Data, file: String) throws(ProfileError) -> [UInt8] {
    guard json.count <= largestSize else { throw tooLarge(file: file, size: json.count) }
    let bytes = [UInt8](json)
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw .unreadable(file: file, reason: "is not UTF-8 text; \(name) is JSON in UTF-8")
    }
    return bytes
  }

  private func tooLarge(file: String, size: Int) -> ProfileError {
    .unreadable(
      file: file,
      reason: "is larger than \(largestSize >> 20) MiB (\(size) bytes); \(name) is \(usualSize) of JSON")
  }
}

extension Data {
  /// Reads an ordinary file, mapped if it has no limit; throws for anything else, or larger.
  package init(
    ordinaryFile url: URL, atMost limit: Int? = nil, _ tooLarge: ((Int) -> ProfileError)? = nil
  ) throws(ProfileError) {
    let name = url.lastPathComponent
    guard url.isFileURL else {
      throw .unreadable(
        file: name, reason: "is not a file on this machine; download \(url.absoluteString.quoted) yourself")
    }
    let path = url.resolvingSymlinksInPath().path
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else {
      if path.contains(#/https?:\//#.ignoresCase()) {
        throw .unreadable(file: "a URL", reason: "is not a file on this machine; download it yourself")
      }
      throw .unreadable(file: name, reason: "there is no such file: \(path.quoted)")
    }
    guard attributes[.type] as? FileAttributeType == .typeRegular else {
      throw .unreadable(file: name, reason: "is not a regular file")
    }
    if let limit, let size = attributes[.size] as? NSNumber, size.int64Value > Int64(limit) {
      throw tooLarge?(size.intValue) ?? .unreadable(file: name, reason: "is too large")
    }
    do {
      guard let limit else {
        self = try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
        return
      }
      let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? handle.close() }
      // One byte more than allowed, so that a file that grew meanwhile is rejected, not cut off.
      self = try handle.read(upToCount: limit + 1) ?? Data()
    } catch {
      throw .unreadable(file: name, reason: "cannot be read: \(path.quoted)")
    }
  }
}

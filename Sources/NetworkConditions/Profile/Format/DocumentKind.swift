import Foundation

/// A kind of JSON document: how errors call it, and how large it may be.
package struct DocumentKind: Hashable, Sendable {
  package let name: String
  /// How large such documents usually are, for the error about a larger one.
  let usualSize: String
  /// In bytes, a whole number of MiB.
  let largestSize: Int
  /// Whether `NaN` and `Infinity` are read as numbers, as many tools write them, so that an error can name their place.
  let takesNonNumbers: Bool

  /// A profile, or a list of them: one of 16 MiB is a mistake; what is so large at all holds a delivery trace.
  static let profile = DocumentKind("a profile", usually: "a few kilobytes", atMostMebibytes: 16)

  package init(
    _ name: String, usually usualSize: String, atMostMebibytes mebibytes: Int, takesNonNumbers: Bool = false
  ) {
    self.name = name
    self.usualSize = usualSize
    largestSize = mebibytes << 20
    self.takesNonNumbers = takesNonNumbers
  }

  /// Reads a document from a file that may be anything: the wrong one, a folder, a device without an end.
  package func value(contentsOf url: URL) throws(ProfileError) -> FormatReader {
    let name = url.lastPathComponent
    return FormatReader(value: try JSONParser.parse(try read(url), file: name, as: self), file: name, path: "")
  }

  /// Reads a document that is already in memory; `file` is how errors call it.
  package func value(json: Data, file: String) throws(ProfileError) -> FormatReader {
    FormatReader(value: try JSONParser.parse(json, file: file, as: self), file: file, path: "")
  }

  /// The bytes of a file; one that is too large is refused by its size, before it is read.
  func read(_ url: URL) throws(ProfileError) -> Data {
    try Data(ordinaryFile: url, atMost: largestSize) { tooLarge(file: url.lastPathComponent, size: $0) }
  }

  func tooLarge(file: String, size: Int) -> ProfileError {
    .unreadable(
      file: file,
      reason: "is larger than \(largestSize >> 20) MiB (\(size) bytes); \(name) is \(usualSize) of JSON")
  }
}

extension Data {
  /// The bytes of a file that may be anything: the wrong one, a folder, a device without an end; a file above the limit
  /// is refused before it is read; without one it is mapped.
  package init(
    ordinaryFile url: URL, atMost limit: Int? = nil, _ tooLarge: ((Int) -> ProfileError)? = nil
  ) throws(ProfileError) {
    let name = url.lastPathComponent
    guard url.isFileURL else {
      throw .unreadable(file: name, reason: "is no file on this machine; load \(url.absoluteString.quoted) yourself")
    }
    let path = url.resolvingSymlinksInPath().path
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else {
      throw .unreadable(file: name, reason: "there is no such file: \(path.quoted)")
    }
    guard attributes[.type] as? FileAttributeType == .typeRegular else {
      throw .unreadable(file: name, reason: "is no ordinary file")
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
      // One byte more than allowed, so that a file that grew meanwhile is refused rather than cut off.
      self = try handle.read(upToCount: limit + 1) ?? Data()
    } catch {
      throw .unreadable(file: name, reason: "cannot be read: \(path.quoted)")
    }
  }
}

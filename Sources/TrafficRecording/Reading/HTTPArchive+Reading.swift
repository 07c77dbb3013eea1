public import Foundation
import Internals
import NetworkConditions

extension HTTPArchive {
  /// Reads an archive from a file, which may be packed with gzip.
  ///
  /// - Throws: an error that names the file, the place, the value and what would be right.
  public init(contentsOf url: URL) throws(HTTPArchiveError) {
    let data: Data
    do throws(ProfileError) {
      data = try Data(ordinaryFile: url)
    } catch {
      throw HTTPArchiveError(error)
    }
    try self.init(json: data, file: url.lastPathComponent)
    source.folder = url.deletingLastPathComponent()
  }

  /// Reads an archive.
  ///
  /// - Parameters:
  ///   - json: the text, in UTF-8, or in UTF-16 with a byte order mark; it may be packed with gzip.
  ///   - file: how errors call it.
  /// - Throws: an error that names the place, the value and what would be right.
  public init(json: Data, file: String = "archive") throws(HTTPArchiveError) {
    var bytes = [UInt8](json)
    if bytes.starts(with: [0x1F, 0x8B]) {
      do {
        bytes = try Inflater.unpack(bytes)
      } catch {
        throw .unreadable(file: file, reason: "is gzip that cannot be unpacked: \(error)")
      }
    }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      guard let text = String(data: Data(bytes), encoding: .utf16) else {
        throw .unreadable(file: file, reason: "is not the UTF-16 that its first bytes promise; write UTF-8")
      }
      bytes = [UInt8](text.utf8)
    }
    var cursor = JSONCursor(bytes, file: file, isLenient: true)
    self.init()
    source.name = file
    do throws(ProfileError) {
      var hasLog = false
      try cursor.object("an HTTP archive") { (cursor, key) throws(ProfileError) in
        guard key == "log" else { return try cursor.skip() }
        hasLog = true
        try read(&cursor)
      }
      try cursor.end()
      guard hasLog else {
        throw cursor.error("the key \"log\" is missing; an HTTP archive is {\"log\": {\"entries\": [...]}}")
      }
    } catch {
      throw HTTPArchiveError(error)
    }
  }

  private mutating func read(_ cursor: inout JSONCursor) throws(ProfileError) {
    var hasEntries = false
    try cursor.object("a log") { (cursor, key) throws(ProfileError) in
      switch key {
      case "creator": creator = try Creator(&cursor)
      case "browser": browser = try Creator(&cursor)
      case "comment": comment = try cursor.label("a comment")
      case "pages":
        pages = []
        try cursor.array("the pages") { (cursor) throws(ProfileError) in pages.append(try Page(&cursor)) }
      case "entries":
        hasEntries = true
        entries = []
        try cursor.array("the entries") { (cursor) throws(ProfileError) in entries.append(try Entry(&cursor)) }
      default: try cursor.skip()
      }
    }
    guard hasEntries else { throw cursor.error("the key \"entries\" is missing; it is a list of exchanges") }
  }
}

extension JSONCursor {
  /// A count of bytes; -1 is not known.
  mutating func size() throws(ProfileError) -> Int64 {
    let value = try number("a size in bytes", -1e15...1e15)
    return value < 0 ? -1 : Int64(value)
  }

  /// A length of time in milliseconds; negative is not known.
  mutating func milliseconds() throws(ProfileError) -> Duration? {
    // A year's worth is a mistake already; the bound keeps sums from overflowing.
    let value = try number("a time in milliseconds", -1e12...1e12)
    return value < 0 ? nil : .nanoseconds(Int64((value * 1e6).rounded()))
  }

  /// A date; `nil` when it is empty.
  mutating func date() throws(ProfileError) -> Date? {
    let place = self
    let text = try string("a date")
    if text.isEmpty { return nil }
    guard let date = Timestamp.parse(text) else {
      throw place.error("\(text.quoted) is not a date; write for example \"2026-01-31T23:59:59.123Z\"")
    }
    return date
  }
}

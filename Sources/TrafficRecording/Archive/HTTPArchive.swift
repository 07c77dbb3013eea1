public import Foundation
import NetworkConditions

/// Recorded HTTP traffic in the HAR 1.2 format, as browsers, proxies and this package write it.
///
/// Reading is lenient, since tools differ: fields that are missing, `null` or unknown are passed over, and only what
/// cannot be understood is an error. Writing is strict: every required field is there, and times add up.
///
/// Source: "HAR 1.2 Spec" (softwareishard.com) and the W3C draft "HTTP Archive (HAR) format". Fields that begin with an
/// underscore are custom there; of those, `_error`, `_transferSize`, `_initiator`, `_file`, `_redacted` and `_encoding` are read and
/// written.
public struct HTTPArchive: Hashable, Sendable {
  /// The program that made the archive.
  public var creator: Creator
  /// The browser whose traffic it is.
  public var browser: Creator?
  /// The pages that the traffic belongs to.
  public var pages: [Page]
  /// The exchanges.
  public var entries: [Entry]
  /// A remark.
  public var comment: String?
  var source = Source()

  /// The folder that the files of bodies stand in: that of the archive's file; `nil` when it came from no file.
  public var folder: URL? {
    get { source.folder }
    set { source.folder = newValue }
  }

  /// Where an archive came from, which makes no difference to what it is.
  struct Source: Hashable {
    var folder: URL?
    var name = "archive"

    static func == (left: Source, right: Source) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
  }

  /// Creates an archive.
  public init(
    creator: Creator = .thisPackage, browser: Creator? = nil, pages: [Page] = [], entries: [Entry] = [],
    comment: String? = nil
  ) {
    self.creator = creator
    self.browser = browser
    self.pages = pages
    self.entries = entries
    self.comment = comment
  }

  /// A program and its version.
  public struct Creator: Hashable, Sendable {
    /// The program's name.
    public var name: String
    /// The program's version.
    public var version: String

    /// This package.
    public static let thisPackage = Creator(name: "network-conditions", version: PackageVersion.current)

    /// Creates a creator.
    public init(name: String, version: String) {
      self.name = name
      self.version = version
    }
  }

  /// A page of a browser.
  public struct Page: Hashable, Sendable {
    /// When loading began.
    public var started: Date
    /// The identifier by which entries refer to it.
    public var id: String
    /// The page's title.
    public var title: String
    /// How long until its content was there.
    public var contentLoaded: Duration?
    /// How long until it was loaded.
    public var loaded: Duration?
    /// A remark.
    public var comment: String?

    /// Creates a page.
    public init(
      started: Date, id: String, title: String, contentLoaded: Duration? = nil, loaded: Duration? = nil,
      comment: String? = nil
    ) {
      self.started = started
      self.id = id
      self.title = title
      self.contentLoaded = contentLoaded
      self.loaded = loaded
      self.comment = comment
    }
  }
}

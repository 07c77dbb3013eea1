public import Foundation
import NetworkConditions

/// Recorded HTTP traffic in the HAR 1.2 format, as browsers, proxies and this package write it.
///
/// Reading is lenient, since tools differ: missing, `null` and unknown fields are skipped, and only unusable values are
/// errors. Writing is strict: every required field is there, and times add up.
///
/// Source: "HAR 1.2 Spec" (softwareishard.com) and the W3C draft "HTTP Archive (HAR) format". There, fields with an
/// underscore are custom. Of those, `_error`, `_transferSize`, `_initiator`, `_file`, `_redacted` and `_encoding` are
/// read and written.
public struct HTTPArchive: Hashable, Sendable {
  /// The program that made the archive.
  public var creator: Creator
  /// The browser whose traffic was recorded.
  public var browser: Creator?
  /// The web pages to which the exchanges belong.
  public var pages: [Page]
  /// The recorded exchanges.
  public var entries: [Entry]
  /// A free text about the archive.
  public var comment: String?
  var source = Source()

  /// The folder that contains the body files: the folder of the archive's file; `nil` if it was not read from a file.
  public var folder: URL? {
    get { source.folder }
    set { source.folder = newValue }
  }

  /// Where an archive was read from; it does not count when archives are compared.
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

    /// The name and version of this package.
    public static let thisPackage = Creator(name: "network-conditions", version: PackageVersion.current)

    /// Creates the name and version of a program.
    public init(name: String, version: String) {
      self.name = name
      self.version = version
    }
  }

  /// A web page that a browser loaded.
  public struct Page: Hashable, Sendable {
    /// When loading the page began.
    public var started: Date
    /// The identifier by which entries refer to the page.
    public var id: String
    /// The title of the page.
    public var title: String
    /// How long it took until the content was loaded (`onContentLoad`).
    public var contentLoaded: Duration?
    /// How long it took until the page was loaded (`onLoad`).
    public var loaded: Duration?
    /// A free text about the page.
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

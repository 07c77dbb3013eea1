// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, BeginDocumentationCommentWithOneLineSummary

/// What Apple's system may do, since no documentation excludes it: `APPLE_DOUBLES` names some; without it all are on.
enum Unkindness: String, CaseIterable {
  /// A protocol sees a copy of its task, as the property is declared (`NSURLProtocol.h`).
  case copies
  /// A cancelled client is told first, and the protocol is stopped later.
  case lateStops
  /// `canInit(with:)` is asked five times on three threads, also after the start.
  case questions
  /// Messages come to a protocol's thread by sources of its run loop, one each: blocks overtake them, and a round of the loop
  /// handles one.
  case sources
  /// An invalidated session never lists its tasks.
  case silence
  /// A stream of a file that cannot be read gives no bytes, and says by its status alone that it failed.
  case quietStreams
  /// After a redirect that keeps the method, an upload has the task's own body again, not that of the protocol's report.
  case ownBodies
  /// No body is shown of a file that is not there (radar 15689128), nor after a redirect.
  case noBodies

  private static let on: Set<Unkindness> = {
    guard let names = ProcessInfo.processInfo.environment["APPLE_DOUBLES"] else { return Set(allCases) }
    return Set(
      names.split(separator: ",").map { name in
        guard let mode = Unkindness(rawValue: String(name)) else { fatalError("APPLE_DOUBLES: there is no \(name)") }
        return mode
      })
  }()
  var isOn: Bool { Self.on.contains(self) }
}

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, BeginDocumentationCommentWithOneLineSummary

/// Unexpected behaviour that Apple's documentation allows. `APPLE_DOUBLES` names some; without it all are on.
enum Unkindness: String, CaseIterable {
  /// A protocol gets a copy of its task, because the property is declared as `copy` (`NSURLProtocol.h`).
  case copies
  /// A cancelled client is told first, and the protocol is stopped later.
  case lateStops
  /// `canInit(with:)` is asked five times on three threads, also after the start.
  case questions
  /// Each message reaches a protocol's thread through a source of its run loop. Blocks overtake it, and each round of the
  /// loop handles one.
  case sources
  /// An invalidated session never lists its tasks.
  case silence
  /// A stream of an unreadable file gives no bytes, and only its status shows the failure.
  case quietStreams
  /// After a redirect that keeps the method, an upload sends the task's own body again, not the one that the protocol named.
  case ownBodies
  /// A protocol gets no body if the file does not exist (radar 15689128), or after a redirect.
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

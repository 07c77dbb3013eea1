// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, BeginDocumentationCommentWithOneLineSummary

/// Behaviour that Apple's documentation does not exclude: `APPLE_DOUBLES` names some; without it all are on.
enum Unkindness: String, CaseIterable {
  /// A protocol gets a copy of its task, as `NSURLProtocol.h` declares the property.
  case copies
  /// A cancelled client learns of the end first, and the protocol is stopped later.
  case lateStops
  /// `canInit(with:)` is called five times on several threads, also after the start.
  case questions
  /// Each message to a protocol's thread is a run loop source: blocks overtake it, and one pass handles one source.
  case sources
  /// `getAllTasks` of an invalidated session never calls its handler.
  case silence
  /// A stream of an unreadable file gives no bytes, and only its status shows the failure.
  case quietStreams
  /// After a redirect that keeps the method, an upload sends the task's own body, not the protocol's.
  case ownBodies
  /// A protocol gets no body if the file is missing (radar 15689128), nor after a redirect.
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

/// Someone who is told of everything that happens, event by event, in order.
///
/// Events are written down under the network's lock and told without it, so that whoever is told may ask the network
/// for anything (``TimelineRecorder``).
final class EventListener: Sendable {
  let tell: @Sendable (NetworkEvent) -> Void
  let end: @Sendable () -> Void

  /// - Parameters:
  ///   - tell: is called with every event.
  ///   - end: is called when nothing will happen any more.
  init(_ tell: @escaping @Sendable (NetworkEvent) -> Void, end: @escaping @Sendable () -> Void = {}) {
    self.tell = tell
    self.end = end
  }
}

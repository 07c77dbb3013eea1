/// The activity of a client's thread that runs without waiting, found by samples.
package enum BusyThread: Sendable {
  /// It waits in a loop at this place: the samples show the same few states.
  case loops(ClientPlace)
  /// It computes, or polls with changing state: the samples show new states; it was last seen at this place.
  case runs(ClientPlace)
}

/// What a client's running thread does, `nil` while that is unknown or the thread waits, and the processor time that it has
/// taken since the first look.
package typealias ThreadLook = (busy: BusyThread?, spent: Duration)

/// The activity of a client's thread that runs without waiting, found by samples.
package enum BusyThread: Sendable {
  /// The thread waits in a loop at this place: the samples show the same few states.
  case loops(ClientPlace)
  /// The thread computes, or polls with changing state: the samples show new states. It was last seen at this place.
  case runs(ClientPlace)
}

/// A sample of a running thread: its activity (`nil` if unknown or waiting), and its processor time since the first
/// sample.
package typealias ThreadLook = (busy: BusyThread?, spent: Duration)

/// The activity of a client's thread that runs without waiting, found by samples.
package enum BusyThread: Sendable {
  /// It waits in a loop at this place: the samples show the same few states.
  case loops(ClientPlace)
  /// It computes, or polls with changing state: the samples show new states; it was last seen at this place.
  case runs(ClientPlace)
}

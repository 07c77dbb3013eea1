/// What a client's thread that runs without waiting does, as samples of it show.
package enum BusyThread: Sendable {
  /// It returns to the same few states: it waits in a loop, at this place.
  case loops(ClientPlace)
  /// It reaches new states: it computes, or polls with calls whose states differ; it was last seen at this place.
  case runs(ClientPlace)
}

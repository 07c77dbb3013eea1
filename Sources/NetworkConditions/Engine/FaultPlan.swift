import LinkSimulator

/// What goes wrong with one request by decree, once the profile's rules have been drawn for it.
struct FaultPlan: Sendable {
  /// What the path does to it.
  var streamFaults: [StreamFault] = []
  /// What delays it before it sets out.
  var extraDelay: Duration = .zero
  /// What the server answers instead of what it would.
  var status: (code: Int, retryAfter: Duration?)?
  /// Which byte of the response's body is flipped.
  var corruptedByte: Int64?
  /// What was applied, in words, for the timeline.
  var descriptions: [String] = []
}

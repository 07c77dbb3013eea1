/// What a stub's routes have in common.
struct StubSettings: Sendable {
  /// The way to real servers.
  let passthrough: any Transport
  /// What is left out of texts; `nil` is what the network leaves out.
  let redaction: Redaction?
  /// How many requests each route keeps.
  let recordingLimit: Int
}

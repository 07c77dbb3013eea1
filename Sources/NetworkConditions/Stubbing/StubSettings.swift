/// The settings that a stub's routes have in common.
struct StubSettings: Sendable {
  /// The way to real servers.
  let passthrough: any Transport
  /// Takes secrets out of texts; `nil` does as the network does.
  let redaction: Redaction?
  /// How many requests each route keeps.
  let recordingLimit: Int
}

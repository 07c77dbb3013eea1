import NetworkConditions

extension FaultExploration.Shard {
  /// The environment variable that says which shard a test explores.
  package static let environmentKey = "NETCOND_SHARD"
  /// The shard's format, as errors describe it.
  package static let expected = "a shard; write 1/4 to 4/4"

  /// Reads a shard such as `2/8`; `nil` when the text is not a shard.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1] else { return nil }
    self.init(number, of: count)
  }

  init?(in environment: [String: String]) throws(EnvironmentError) {
    guard let text = environment[Self.environmentKey], !text.isEmpty else { return nil }
    guard let shard = Self(text) else {
      throw EnvironmentError(variable: Self.environmentKey, reason: "\"\(text)\" is not \(Self.expected)")
    }
    self = shard
  }
}

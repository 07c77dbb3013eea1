import NetworkConditions

/// What a script has set up at one device.
struct DeviceState {
  /// The options of netem, when there is one.
  var netem: NetemOptions?
  /// The slowest of the rates outside netem: of a token bucket or of a class.
  var rate: Bandwidth?
  /// How many packets wait at that rate, when the script says so.
  var queue: Int?
  /// What was set up and cannot be simulated.
  var losses = LossList()

  /// Whether anything is set up that shapes.
  var isShaped: Bool { netem != nil || rate != nil }

  /// Adds a rate outside netem; the slowest on the way decides.
  mutating func limit(to rate: Bandwidth?, queue: Int?) {
    guard let rate, rate > .zero else { return }
    if let before = self.rate, before <= rate { return }
    self.rate = rate
    self.queue = queue
  }

  /// The link that all of it makes.
  var link: (LinkConditions, LossList) {
    var options = netem ?? NetemOptions()
    var slower: Bandwidth?
    if let rate, options.rate.map({ rate < $0 }) ?? true {
      slower = rate
      options.rate = rate
    }
    var (link, lost) = NetemLink.read(options)
    // A queue of its own in front of netem, or netem's default of 1000 packets, which is in force otherwise.
    if slower != nil, let queue { link.queue = queue }
    // Packets overtake in netem before they come to a rate outside of it.
    if slower != nil, netem?.rate == nil, link.jitter != nil { link.reorders = true }
    var all = losses
    all.add(lost.losses)
    lost = all
    return (link, lost)
  }
}

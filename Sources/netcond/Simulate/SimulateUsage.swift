import LinkSimulator

extension SimulateOptions {
  static let profileOption = Option(
    "profile", short: "p", value: "NAME|FILE", help: "the network's profile (3G): a name, or a JSON file")
  static let linkOption = Option("link", short: "l", value: "PARTS", help: "a network in words: \(LinkText.summary)")
  static let getOption = Option("get", value: "SIZE", help: "fetch a body of so many bytes (100 kB)")
  static let putOption = Option("put", value: "SIZE", help: "send one instead")
  static let warmOption = Option("warm", help: "use a connection on which 1 kB came right before")
  static let parallelOption = Option(
    "parallel", value: "N", help: "begin N such transfers at once (1); the last to end counts")
  static let versionOption = Option(
    "http", value: "1.1|2", help: "have six connections at most (1.1), or one for all (2)")
  static let secureOption = Option("tls", help: "begin with a TLS 1.3 handshake")
  static let resolutionOption = Option("dns", help: "begin with the look-up of a name")
  static let congestionOption = Option(
    "congestion", value: PathConfiguration.CongestionControl.allCases.map(\.rawValue).joined(separator: "|"),
    help: "how senders react to loss (\(PathConfiguration().congestionControl))")
  static let seedsOption = Option(
    "seeds", short: "s", value: "N|A..<B", help: "how many runs, or with which seeds (200)")
  static let limitOption = Option(
    "limit", value: "DURATION", help: "give a run up after so long (180 s)")
  static let casesOption = Option(
    "cases", value: "FILE", help: "simulate the transfers of a file of measurements, and compare")
  static let excessOption = Option(
    "rtt-excess", value: "DURATION",
    help: "what the apparatus of a case adds to its round trip (0.15 ms)")

  /// What says what is sent over which network, which a file of cases does for itself.
  static let transferOptions = [
    profileOption, ProfileFacts.beginningOption, linkOption, getOption, putOption, warmOption, parallelOption,
    versionOption, secureOption,
    resolutionOption, congestionOption,
  ]

  static let usage = Usage(
    options: transferOptions + [seedsOption, limitOption, casesOption, excessOption, .json],
    notes: [
      "All times are the network's own: nothing is waited for, and the same seeds give the same times. A profile's "
        + "phases count, its rules and faults do not. What a link leaves out is unlimited or none; delay, loss, jitter "
        + "and queue are the same in both directions. A run that does not end counts as later than all others in the "
        + "percentiles; min, max and mean are of those that ended.",
      "",
      "--json prints version 1 of this object: connect_s, first_byte_s and total_s hold min, p10, median, p90, p99, max "
        + "and mean, samples_s the total of each seed in seconds, null when it did not end, not_ended the reasons with "
        + "their counts, down and up the packets of all runs together.",
      "",
      "A file of cases is JSON: {\"cases\": [...]}, each with down_kbps, up_kbps, rtt_ms, loss (0 to 1), queue_packets, "
        + "congestion_control, kind (get, get-warm, put, get-parallelN: N connections) and bytes; total_s with a median "
        + "is what was measured. With --json the answer is {\"cases\": [{\"samples_s\": [...]}, ...]} in the same order; "
        + "a case with a congestion control that is not simulated has no samples. Each round trip is longer than rtt_ms by "
        + "--rtt-excess: the apparatus of the measurements was found to add 0.12 to 0.17 ms.",
      "Exit status: 0 done, whether runs ended or not; 2 wrong usage.", "",
      "  netcond simulate --profile tunnel --get '2 MB' --seeds 1000",
      "  netcond simulate --link 'down 5 Mbit/s, rtt 80 ms, loss 2 %' --tls --dns",
    ])
}

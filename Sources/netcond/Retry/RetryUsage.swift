extension RetryOptions {
  static let profileOption = Option(
    "profile", short: "p", value: "NAMES", help: "the networks' profiles, with commas (subway, flaky)")
  static let policyOption = Option(
    "policy", value: "NAMES",
    help: "the policies, with commas (none, immediate, exponential, full-jitter, hedging); others are compared with "
      + "the first")
  static let clientsOption = Option("clients", short: "c", value: "N", help: "how many clients ask (1)")
  static let requestsOption = Option(
    "requests", value: "N", help: "how many requests each sends, one after another (1)")
  static let arrivalOption = Option(
    "arrival", value: "TEXT", help: "when clients come: together, or such as \"poisson 10 s\" (together)")
  static let methodOption = Option("method", value: "METHOD", help: "the method (GET); a POST is not sent twice")
  static let getOption = Option("get", value: "SIZE", help: "the size of an answer's body (2 kB)")
  static let putOption = Option("put", value: "SIZE", help: "the size of a request's body (0 B)")
  static let serverOption = Option(
    "server", value: "PARTS",
    help: "how fast the server works, and what it does with too much (20 ms): \(ServerText.example)")
  static let outageOption = Option(
    "outage", value: "A..B", help: "when the server is down, such as \"3 s..10 s\" after the first may come")
  static let deadlineOption = Option(
    "deadline", value: "DURATION", help: "how long a request may take in all (as the policy says)")
  static let seedsOption = Option(
    "seeds", short: "s", value: "N|A..<B", help: "how many trials, or with which seeds (500)")
  static let showTrialOption = Option(
    "show-trial", value: "PROFILE/POLICY/SEED", repeats: true,
    help:
      "draw the attempts of this trial on the page; otherwise each policy's under the seed that tells them apart most")
  static let shardOption = Option(
    "shard", value: "I/N", help: "run the I-th of N shares of the seeds; netcond merge puts them together")

  static let usage = Usage(
    options: [
      profileOption, ProfileFacts.beginningOption, policyOption, clientsOption, requestsOption, arrivalOption,
      methodOption, getOption, putOption,
      serverOption, outageOption, deadlineOption, seedsOption, shardOption, showTrialOption,
    ] + ReportOutput.options,
    notes: [
      "All time is the network's own: nothing is waited for. Under one seed all policies meet the same network at the same "
        + "moment, so that they are compared in pairs. "
        + "Clients begin anywhere in the profile's course, or where --at says.",
      "", "Policies: \(names.joined(separator: ", ")).", "",
      "--json prints a report that netcond merge reads. A FILE is written when all is done, and replaced if it is there. "
        + "Ctrl-C prints what there is, marked as partial; a second one ends it at once.",
      "Exit status: 0 done, 2 wrong usage, 130 interrupted, 143 terminated.", "",
      "  netcond retry --profile tunnel,3G --seeds 1000 --html report.html",
      "  netcond retry --clients 50 --outage '3 s..10 s' --arrival 'poisson 10 s'",
      "  netcond retry --shard 1/2 --json > a.json",
    ])
}

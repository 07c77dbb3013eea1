import NetworkConditions

/// Interprets a script of tc(8), and keeps the netem options and the rate of each device.
struct TrafficControlReader {
  private(set) var order: [String] = []
  private(set) var devices: [String: DeviceState] = [:]
  /// The devices as they were before the last removals, in case the script ends by removing everything.
  private var before: [String: DeviceState] = [:]
  private var isTakingAway = false
  /// The devices that had a netem queue at any time in the script.
  private var emulated = Set<String>()
  /// The device to which the packets arriving at another device are redirected.
  private(set) var redirected: (from: String, to: String)?
  /// The commands of tc that are not understood.
  private var unknown = LossList()

  /// The devices at the end of the script; if it ends by removing everything, those before that.
  var result: [String: DeviceState] {
    devices.values.contains(where: \.isShaped) ? devices : before
  }

  /// What is lost beside the shaped devices: queues that shape nothing here, and commands that are not understood.
  var losses: [FormatLoss] {
    order.compactMap { result[$0] ?? devices[$0] }.filter { !$0.isShaped }.flatMap(\.losses.losses) + unknown.losses
  }

  /// Interprets one command, which `sudo`, `docker exec NAME`, `sh -c` or the like may run; all others are ignored.
  mutating func follow(_ words: [Word]) throws(ProfileError) {
    if let shown = ShownQueues.command(words) {
      // Every device has a queue; these shape no traffic.
      let plain = ["noqueue", "pfifo", "bfifo", "pfifo_fast", "mq", "fq", "fq_codel", "ingress", "clsact"]
      if plain.contains(shown.kind.text) { return }
      if shown.kind.text == "htb" {
        unknown.add("qdisc htb", "tc qdisc show does not print the rates of its classes; import the script itself")
      }
      return try set(shown.kind, shown.options[...], .add, shown.tree, at: shown.device)
    }
    guard let first = words.first, !["echo", "printf"].contains(first.text) else { return }
    guard let start = words.firstIndex(where: { $0.text == "tc" || $0.text.hasSuffix("/tc") }) else {
      // A shell's script in quotation marks, as after sh -c.
      for word in words where word.text.contains("tc qdisc ") || word.text.contains("tc class ") {
        var start = word.place
        start.column += 1
        for case .command(let inner) in try ShellWords.parse(word.text, at: start) { try follow(inner) }
      }
      return
    }
    var rest = words[(start + 1)...]
    while let word = rest.first, word.text.hasPrefix("-") {
      rest = rest.dropFirst()
      // An abbreviation of -netns is followed by the name of a network namespace.
      if "-netns".hasPrefix(word.text) { rest = rest.dropFirst() }
    }
    guard let object = rest.popFirst() else { return }
    let kind = ["qdisc", "class", "filter", "monitor", "help"].first { $0.hasPrefix(object.text) }
    let verb = rest.popFirst() ?? Word(text: "show", place: object.place)
    let known = Self.verbs.first { $0.name.hasPrefix(verb.text) }
    guard let kind, let known else {
      let text = words[start...].map(\.text).joined(separator: " ")
      return unknown.add(String(text.quoted.dropFirst().dropLast()), "this command of tc is not understood")
    }
    guard let action = known.action else { return }
    switch kind {
    case "qdisc": try follow(queue: rest, action, after: verb)
    case "class": try follow(class: rest, action, after: verb)
    case "filter": try follow(filter: rest, action, after: verb)
    default: return
    }
  }

  private enum Action {
    case add, replace, delete
  }

  /// The verbs of tc, which may be abbreviated: the first match counts.
  ///
  /// Source: iproute2's tc/tc_qdisc.c, tc/tc_class.c and tc/tc_filter.c.
  private static let verbs: [(name: String, action: Action?)] = [
    ("add", .add), ("change", .replace), ("replace", .replace), ("link", .replace), ("delete", .delete), ("list", nil),
    ("show", nil), ("lst", nil), ("get", nil), ("help", nil),
  ]

  // MARK: Queues

  private mutating func follow(
    queue words: ArraySlice<Word>, _ action: Action, after verb: Word
  ) throws(ProfileError) {
    var words = words
    var device: Word?
    var tree = QueueTree()
    var isIngress = false
    while let word = words.first {
      switch word.text {
      case "dev":
        words.removeFirst()
        device = try words.take("the name of a device", after: word)
      case "parent", "handle", "estimator":
        words.removeFirst()
        let handle = try words.take("a handle", after: word)
        if word.text == "parent" { tree.parent = handle.text }
        if word.text == "handle" { tree.handle = handle.text }
      case "root": words.removeFirst()
      case "ingress", "clsact":
        words.removeFirst()
        isIngress = true
      default:
        guard let device else { throw word.error("the device is missing before \(word.shown); write dev eth0") }
        guard action != .delete else { return delete(device.text) }
        words.removeFirst()
        return try set(word, words, action, tree, at: device)
      }
    }
    guard let device else { throw verb.error("the device is missing; write for example dev eth0") }
    if action == .delete, !isIngress { delete(device.text) }
  }

  private mutating func delete(_ device: String) {
    guard devices[device]?.isShaped == true else { return }
    if !isTakingAway { before = devices }
    isTakingAway = true
    devices[device] = nil
  }

  private static func word(after key: String, in words: ArraySlice<Word>) -> Word? {
    words.drop { $0.text != key }.dropFirst().first
  }

  private mutating func set(
    _ kind: Word, _ words: ArraySlice<Word>, _ action: Action, _ tree: QueueTree, at place: Word
  ) throws(ProfileError) {
    try touch(place)
    isTakingAway = false
    var state = devices[place.text] ?? DeviceState()
    state.occupied.insert(QueueTree.major(of: tree.parent))
    switch kind.text {
    case "netem":
      if !emulated.insert(place.text).inserted {
        state.losses.add("netem", "of several at one device the last one counts")
      }
      state.netem = try NetemParser.parse(words, after: kind.place)
    case "tbf":
      let bucket = try TokenBucket.parse(words, after: kind)
      state.limit(
        to: bucket.rate, queue: bucket, handle: tree.handle, at: "qdisc \(tree.parent)", replacing: action == .replace)
      if let burst = bucket.burst {
        state.losses.add("tbf burst \(burst)", "the simulator lets nothing through faster than the rate")
      }
      if bucket.hasPeak { state.losses.add("tbf peakrate", "the simulator has one rate") }
    case "htb", "prio", "pfifo_fast", "noqueue": break
    case "pfifo", "bfifo":
      if let limit = Self.word(after: "limit", in: words) {
        state.losses.add(
          "\(kind.text) limit \(limit.text.prefix(40))", "the length of a queue is read from netem and tbf alone")
      }
    default:
      // cake has a rate of its own, tc-cake(8).
      if kind.text == "cake", let rate = Self.word(after: "bandwidth", in: words), rate.text != "unlimited" {
        state.limit(
          to: try NetemUnits.rate(rate), queue: nil, at: "qdisc \(tree.parent)", replacing: action == .replace)
      }
      state.losses.add(
        "qdisc \(kind.text.quoted.dropFirst().dropLast())", "the simulator's queue is first in, first out")
    }
    devices[place.text] = state
  }

  private mutating func touch(_ device: Word) throws(ProfileError) {
    if order.contains(device.text) { return }
    guard order.count < Self.mostDevices else { throw device.error("more than \(Self.mostDevices) devices") }
    order.append(device.text)
  }

  private static let mostDevices = 64

  private mutating func follow(
    class words: ArraySlice<Word>, _ action: Action, after verb: Word
  ) throws(ProfileError) {
    guard action != .delete else { return }
    var words = words
    var device: Word?
    var name = ""
    var rate: Bandwidth?
    var ceiling: Bandwidth?
    while let word = words.popFirst() {
      switch word.text {
      case "dev": device = words.popFirst()
      case "classid": name = words.popFirst()?.text ?? ""
      case "rate", "ceil":
        let value = try words.take("a rate", after: word)
        if word.text == "rate" { rate = try NetemUnits.rate(value) } else { ceiling = try NetemUnits.rate(value) }
      default: continue
      }
    }
    guard let device else { throw verb.error("the device is missing; write for example dev eth0") }
    try touch(device)
    var state = devices[device.text] ?? DeviceState()
    state.limit(to: ceiling ?? rate, queue: nil, at: "class \(name)", replacing: action == .replace)
    if state.rates.count > 1, ceiling ?? rate != nil {
      state.losses.add("class", "of several rates at one device the slowest counts for all packets")
    }
    devices[device.text] = state
  }

  private mutating func follow(
    filter words: ArraySlice<Word>, _ action: Action, after verb: Word
  ) throws(ProfileError) {
    guard action != .delete, let key = words.firstIndex(where: { $0.text == "dev" }), key + 1 < words.endIndex else {
      return
    }
    let from = words[key + 1].text
    if words.contains(where: { $0.text == "mirred" }), words.contains(where: { $0.text == "redirect" }) {
      guard let last = words.lastIndex(where: { $0.text == "dev" }), last + 1 < words.endIndex else {
        throw verb.error("the device that packets are redirected to is missing; write redirect dev ifb0")
      }
      let to = words[last + 1].text
      guard to != from else { throw words[last + 1].error("packets of \(from.quoted) are redirected to it again") }
      try touch(words[last + 1])
      redirected = (from, to)
    } else {
      try touch(words[key + 1])
      var subject = "filter"
      var reason = "what is set up counts for all packets, not for those that a filter picks"
      if let police = words.firstIndex(where: { $0.text == "police" }) {
        let rate = words[police...].drop { $0.text != "rate" }.prefix(2).map { String($0.text.prefix(40)) }
        subject = (["filter police"] + rate).joined(separator: " ")
        reason = "the simulator has no policer, so this rate does not count"
      }
      devices[from, default: DeviceState()].losses.add(subject, reason)
    }
  }
}

/// The place of a queue in the tree of a device's queues.
struct QueueTree {
  var handle: String?
  /// The handle of the class above the queue, such as `1:1`.
  var parent = "root"

  /// Returns the number of the queue that a handle belongs to: 1 for `1:1`.
  static func major(of handle: String) -> Substring { handle.prefix { $0 != ":" } }
}

struct DeviceState {
  var netem: NetemOptions?
  /// The rates that token buckets and classes set, not netem, each with its place in the script.
  private(set) var rates: [(place: String, rate: Bandwidth, queue: TokenBucket?, handle: Substring?)] = []
  /// The major numbers of handles that have another queue below them.
  var occupied = Set<Substring>()
  var losses = LossList()

  var rate: Bandwidth? { rates.map(\.rate).min() }
  var isShaped: Bool { netem != nil || !rates.isEmpty }

  /// Adds a rate outside netem; only the slowest counts.
  mutating func limit(
    to rate: Bandwidth?, queue: TokenBucket?, handle: String? = nil, at place: String, replacing: Bool
  ) {
    guard let rate, rate > .zero else { return }
    if replacing { rates.removeAll { $0.place == place } }
    rates.append((place, rate, queue, handle.map(QueueTree.major)))
  }

  /// The token buckets that have their own queue.
  ///
  /// A queue that is set below a token bucket takes the place of that queue and of its limit. Source: tbf_graft in the
  /// kernel's net/sched/sch_tbf.c.
  private var buckets: [TokenBucket] {
    rates.filter { $0.handle.map { !occupied.contains($0) } ?? true }.compactMap(\.queue)
  }

  var link: (LinkConditions, LossList) {
    var options = netem ?? NetemOptions()
    var slower: Bandwidth?
    if let rate, options.rate.map({ rate < $0 }) ?? true {
      slower = rate
      options.rate = rate
    }
    var (link, lost) = NetemLink.read(options)
    var all = LossList()
    for limit in buckets.compactMap(\.limit) {
      all.add("tbf \(limit)", "here a queue is counted in packets of 1500 bytes")
    }
    all.add(losses.losses + lost.losses)
    // The packets that left netem wait in the bucket's queue.
    if let slower, let queue = buckets.first(where: { $0.rate == slower })?.queue { link.queue = queue }
    // netem reorders packets before they reach the rate outside it.
    if slower != nil, netem?.rate == nil, link.jitter != nil { link.reorders = true }
    return (link, all)
  }
}

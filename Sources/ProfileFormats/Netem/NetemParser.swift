import Internals
import NetworkConditions

/// Reads the options of netem as tc does, and refuses options that tc refuses.
///
/// Keywords may be abbreviated: the first match in the order below counts. An optional number begins with a digit.
/// Source: tc-netem(8), iproute2's tc/q_netem.c.
struct NetemParser {
  private enum Keyword: String, CaseIterable {
    case limit, latency, delay, loss, drop, ecn, reorder, corrupt, gap, duplicate, distribution, rate, slot, seed
  }

  private var words: ArraySlice<Word>
  private var end: Place
  private var options = NetemOptions()
  private var lossWord: Word?
  /// Whether the loss is a model of states, which counts as a loss for tc even if all its numbers are zero.
  private var hasLossModel = false
  private var ecn: Word?
  private var gap: Word?
  private var distribution: Word?
  private var reorder: (word: Word, share: Probability)?

  static func parse(_ words: some Sequence<Word>, after start: Place) throws(ProfileError) -> NetemOptions {
    var parser = NetemParser(words: Array(words)[...], end: start)
    return try parser.parse()
  }

  private init(words: ArraySlice<Word>, end: Place) {
    self.words = words
    self.end = end
    if let last = words.last {
      self.end = last.place
      self.end.column += last.text.unicodeScalars.count
    }
  }

  private mutating func parse() throws(ProfileError) -> NetemOptions {
    while let word = words.popFirst() {
      guard !word.text.isEmpty, let keyword = Keyword.allCases.first(where: { $0.rawValue.hasPrefix(word.text) }) else {
        let near = NearNames.find(word.text, among: Keyword.allCases.map(\.rawValue), atMost: 2)
        let all = "delay, distribution, loss, ecn, corrupt, duplicate, reorder, gap, rate, slot, limit and seed"
        throw word.error("\(word.shown) is not an option of netem\(NearNames.question(near) ?? "; netem has \(all)")")
      }
      try parse(keyword, word)
    }
    try check()
    return options
  }

  private mutating func parse(_ keyword: Keyword, _ word: Word) throws(ProfileError) {
    switch keyword {
    case .limit:
      options.limit = try NetemUnits.size(try argument(of: word, "a number of packets"), "the limit")
      options.hasLimit = true
    case .latency, .delay: try parseDelay(word)
    case .loss, .drop: try parseLoss(word)
    case .ecn: ecn = word
    case .reorder:
      reorder = (word, try parseShare(word))
    case .corrupt: options.corruption = try parseShare(word)
    case .duplicate: options.duplication = try parseShare(word)
    case .gap:
      let distance = try NetemUnits.whole(try argument(of: word, "a distance"), 0...4_294_967_295, "the gap")
      gap = distance > 0 ? word : nil
      options.gap = max(1, Int(clamping: distance))
    case .distribution: try parseDistribution(word)
    case .rate: try parseRate(word)
    case .slot: try parseSlot(word)
    case .seed:
      let seed = try argument(of: word, "a number")
      options.losses.add("seed \(seed.text)", "a simulated network gets its seed when it is made")
    }
  }

  // MARK: Options

  private mutating func parseDelay(_ word: Word) throws(ProfileError) {
    options.delay = try NetemUnits.time(try argument(of: word, "a time"), "the delay")
    guard let jitter = number() else { return }
    options.jitter = try NetemUnits.time(jitter, "the jitter")
    guard let correlation = number() else { return }
    options.correlation = try NetemUnits.percent(correlation, "the correlation of the jitter")
  }

  private mutating func parseLoss(_ word: Word) throws(ProfileError) {
    guard lossWord == nil else { throw word.error("loss is given twice; netem takes one loss model") }
    lossWord = word
    let first = try argument(of: word, "a share, or random, state or gemodel")
    switch first.text {
    case "random": try parseRandomLoss(try argument(of: first, "a share in per cent"))
    case _ where Self.isNumber(first): try parseRandomLoss(first)
    case "state":
      hasLossModel = true
      try parseStates(first)
    case "gemodel":
      hasLossModel = true
      try parseGilbertElliott(first)
    default:
      throw first.error(
        "\(first.shown) is not a loss model; write for example loss 1%, loss state 1% or loss gemodel 1%")
    }
  }

  private mutating func parseRandomLoss(_ word: Word) throws(ProfileError) {
    options.loss = .single(try NetemUnits.percent(word, "the loss"))
    guard let next = number() else { return }
    let correlation = try NetemUnits.percent(next, "the correlation of the loss")
    if correlation > .zero {
      options.losses.add(
        "loss \(word.text) \(next.text)",
        "the correlation of random loss, which tc-netem(8) calls deprecated, is not simulated; gemodel loses in bursts")
    }
  }

  private mutating func parseStates(_ word: Word) throws(ProfileError) {
    let p13 = try NetemUnits.percent(try argument(of: word, "p13"), "p13")
    var others: [Probability] = []
    for name in ["p31", "p32", "p23", "p14"] {
      guard let next = number() else { break }
      others.append(try NetemUnits.percent(next, name))
    }
    let states = FourStateLoss(p13: p13, others: others)
    if let problem = states.problem { throw word.error(problem) }
    let (model, isExact) = states.lossModel
    options.loss = model
    if !isExact {
      options.losses.add(
        "loss state", "two states are simulated, not four; mean loss and mean burst are kept")
    }
  }

  private mutating func parseGilbertElliott(_ word: Word) throws(ProfileError) {
    let p = try NetemUnits.percent(try argument(of: word, "p"), "p")
    guard let second = number() else {
      // With r = 1 - p the chain has no memory: each packet is lost with probability p.
      options.loss = .single(p)
      return
    }
    let r = try NetemUnits.percent(second, "r")
    var lossWhenBad = Probability.one
    var lossWhenGood = Probability.zero
    if let third = number() {
      lossWhenBad = try NetemUnits.percent(third, "1-h")
      if let fourth = number() { lossWhenGood = try NetemUnits.percent(fourth, "1-k") }
    }
    options.loss = .bursts(
      GilbertElliott(goodToBad: p, badToGood: r, lossWhenBad: lossWhenBad, lossWhenGood: lossWhenGood))
  }

  private mutating func parseShare(_ word: Word) throws(ProfileError) -> Probability {
    let share = try argument(of: word, "a share in per cent")
    let value = try NetemUnits.percent(share, "the share to \(word.text)")
    if let next = number(), try NetemUnits.percent(next, "the correlation") > .zero, value > .zero {
      options.losses.add("\(word.text) \(share.text) \(next.text)", "here each packet is drawn independently")
    }
    return value
  }

  private mutating func parseDistribution(_ word: Word) throws(ProfileError) {
    let name = try argument(of: word, "uniform, normal, pareto or paretonormal")
    distribution = name
    options.table =
      switch name.text {
      case "uniform": .jitter(.uniform)
      case "normal": .jitter(.normal)
      case "pareto": .jitter(.pareto)
      case "paretonormal": .jitter(.paretoNormal)
      case "experimental": .experimental
      default: nil
      }
    guard options.table != nil else {
      throw name.error(
        "\(name.shown) names a table that only the other machine has; write uniform, normal, pareto or paretonormal")
    }
  }

  private mutating func parseRate(_ word: Word) throws(ProfileError) {
    let rate = try NetemUnits.rate(try argument(of: word, "a rate"))
    options.rate = rate == .zero ? nil : rate
    var overheads: [String] = []
    if let next = number(signed: true) {
      overheads.append(String(try NetemUnits.whole(next, -2_147_483_648...2_147_483_647, "the packet overhead")))
      if let next = number() {
        overheads.append(String(try NetemUnits.whole(next, 0...4_294_967_295, "the cell size")))
        if let next = number(signed: true) {
          overheads.append(String(try NetemUnits.whole(next, -2_147_483_648...2_147_483_647, "the cell overhead")))
        }
      }
    }
    if overheads.contains(where: { $0 != "0" }) {
      options.losses.add(
        "rate overhead \(overheads.joined(separator: " "))", "the simulator counts IP packets, without frames or cells")
    }
  }

  private mutating func parseSlot(_ word: Word) throws(ProfileError) {
    let first = try argument(of: word, "a time or distribution")
    if Self.isNumber(first) {
      let least = try NetemUnits.time(first, "the least delay of a slot")
      if let next = number() {
        let most = try NetemUnits.time(next, "the greatest delay of a slot")
        guard most >= least else { throw next.error("\(next.shown) is less than the least delay, \(first.text)") }
      }
    } else {
      guard first.text == "distribution" else {
        throw first.error(
          "\(first.shown) is not a slot; write for example slot 800us, or slot distribution normal 1ms 2ms")
      }
      _ = try argument(of: first, "a distribution")
      _ = try NetemUnits.time(try argument(of: first, "a delay"), "the delay of a slot")
      let jitter = try argument(of: first, "a jitter")
      guard try NetemUnits.time(jitter, "the jitter of a slot") > 0 else {
        throw jitter.error("the jitter of a slot's distribution is above 0")
      }
    }
    for name in ["packets", "bytes"] {
      guard let next = words.first, !next.text.isEmpty, name.hasPrefix(next.text) else { continue }
      words.removeFirst()
      _ = try NetemUnits.size(try argument(of: next, "a number"), "the \(name) of a slot")
    }
    options.losses.add("slot", "the simulator delivers each packet when it arrives, not in slots")
  }

  private mutating func check() throws(ProfileError) {
    if let reorder, reorder.share > .zero {
      guard options.delay > 0 else {
        throw reorder.word.error("reordering is not possible without a delay; write for example delay 10ms reorder 25%")
      }
      options.reordering = reorder.share
    } else if let gap {
      throw gap.error("a gap is not possible without reorder; write for example reorder 25% gap 5")
    }
    if let ecn {
      guard hasLossModel || options.loss != .none else {
        throw ecn.error("ecn is not possible without a loss; write for example loss 1% ecn")
      }
      options.losses.add("ecn", "the simulator drops lost packets and marks none instead")
    }
    if let distribution, options.delay == 0 || options.jitter == 0 {
      throw distribution.error(
        "a distribution is not possible without a delay and a jitter; write for example delay 100ms 20ms distribution "
          + distribution.text)
    }
  }

  private mutating func argument(of word: Word, _ what: String) throws(ProfileError) -> Word {
    guard let next = words.popFirst() else { throw end.error("\(what) should follow \(word.text)") }
    return next
  }

  /// Takes the next word if it begins like a number; tc recognises an optional number in this way.
  private mutating func number(signed: Bool = false) -> Word? {
    guard let next = words.first, Self.isNumber(next) || (signed && next.text.hasPrefix("-")) else { return nil }
    words.removeFirst()
    return next
  }

  private static func isNumber(_ word: Word) -> Bool {
    word.text.utf8.first?.isDigit == true
  }
}

struct NetemOptions {
  /// The table or formula that a delay is drawn from.
  enum Table: Equatable {
    case jitter(Jitter.Distribution)
    /// The table of measured delays that comes with iproute2; no formula describes it.
    case experimental
  }

  /// How many packets the queue may hold, delayed packets included; 1000 by default.
  var limit: Int64 = 1_000
  var hasLimit = false
  /// The delay in nanoseconds.
  var delay: Int64 = 0
  /// The jitter in nanoseconds.
  var jitter: Int64 = 0
  var correlation = Probability.zero
  /// The distribution of the jitter; without one the kernel draws evenly.
  var table: Table?
  var loss = LossModel.none
  var reordering = Probability.zero
  /// netem's reordering gap: after a packet that skips the delay, at least `gap` - 1 packets are delayed.
  var gap = 1
  var duplication = Probability.zero
  var corruption = Probability.zero
  var rate: Bandwidth?
  var losses = LossList()
}

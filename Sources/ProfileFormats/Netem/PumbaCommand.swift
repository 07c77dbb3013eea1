import Foundation
import NetworkConditions

/// Translates a command of Pumba into the options of netem that Pumba passes to tc.
///
/// Shares are per cent with two decimals. A delay has by default a jitter of 10 ms and a correlation of 20. Without a
/// jitter, tc reads the correlation as a jitter in microseconds. Source: alexei-led/pumba, pkg/chaos/netem.
struct PumbaCommand {
  private var losses = LossList()
  private let name: Word
  private var options: CommandOptions

  private static let commands: [String: [String]] = [
    "delay": ["time t", "jitter j", "correlation c", "distribution d"],
    "loss": ["percent p", "correlation c"],
    "loss-state": ["p13", "p31", "p32", "p23", "p14"],
    "loss-gemodel": ["pg p", "pb r", "one-h", "one-k"],
    "rate": ["rate r", "packetoverhead p", "cellsize s", "celloverhead c"],
    "duplicate": ["percent p", "correlation c"],
    "corrupt": ["percent p", "correlation c"],
  ]

  /// Finds the word that names Pumba, also as a path or an image: `/usr/bin/pumba`, `gaiaadm/pumba:0.9.0`.
  static func start(of words: ArraySlice<Word>) -> Int? {
    if words.contains(where: { $0.text == "tc" }) { return nil }
    return words.firstIndex { $0.text.split(separator: "/").last?.split(separator: ":").first == "pumba" }
  }

  static func options(_ words: [Word], pumba: Int, netem: Int) throws(ProfileError) -> NetemOptions {
    var rest = words[(netem + 1)...]
    var shared = CommandOptions(
      [
        "duration d", "interface i", "target t", "egress-port egressPort", "ingress-port ingressPort", "tc-image",
        "limit",
      ],
      flags: ["pull-image"])
    try shared.take(from: &rest, of: "pumba netem")
    guard let name = rest.popFirst() else {
      throw words[netem].error(
        "a command should follow netem, one of \(commands.keys.sorted().joined(separator: ", "))")
    }
    guard let known = commands[name.text] else {
      throw name.error(
        "\(name.shown) is not a command of pumba netem; it has \(commands.keys.sorted().joined(separator: ", "))")
    }
    var command = PumbaCommand(name: name, options: CommandOptions(known))
    // Options may follow the names of containers. Source: reorderArgs in command.go of urfave/cli 1.22, Pumba's parser.
    rest = rest.prefix { $0.text != "--" }
    while !rest.isEmpty {
      try command.options.take(from: &rest, of: "pumba netem \(name.text)")
      rest = rest.dropFirst()
    }
    let translated = try command.translated()
    var options = try NetemParser.parse(translated, after: name.place)
    command.listLosses(words[pumba..<netem], shared)
    options.losses.add(command.losses.losses)
    return options
  }

  private mutating func listLosses(_ before: ArraySlice<Word>, _ shared: CommandOptions) {
    for (name, value) in shared.given {
      switch name {
      case "duration": losses.add("--duration \(value.text)", "the profile applies for good; end it in the test")
      case "target", "egress-port", "ingress-port":
        losses.add("--\(name) \(value.text)", "the profile applies to all traffic, not only to this")
      default: continue
      }
    }
    let interval = before.first { ["--interval", "-i"].contains($0.text) || $0.text.hasPrefix("--interval=") }
    if interval != nil { losses.add("--interval", "the profile applies for good, and does not start again and again") }
  }

  private mutating func translated() throws(ProfileError) -> [Word] {
    switch name.text {
    case "delay": try delay()
    case "loss-state":
      try words("loss", "state")
        + [share("p13", 0), share("p31", 100), share("p32", 0), share("p23", 100), share("p14", 0)]
    case "loss-gemodel":
      try words("loss", "gemodel") + [share("pg", 0), share("pb", 100), share("one-h", 100), share("one-k", 0)]
    case "rate": try rate()
    default: try [name, share("percent", 0)] + correlation(0)
    }
  }

  private mutating func delay() throws(ProfileError) -> [Word] {
    let longest = NetemUnits.longestTime / 1_000_000
    let time = try options.whole("time", 1...longest, otherwise: 100, name)
    let jitter = try options.whole("jitter", 0...longest, otherwise: 10, name)
    guard let most = Int64(time.text), let spread = Int64(jitter.text), spread <= most else {
      throw jitter.error("the jitter, \(jitter.text) ms, is above the delay, \(time.text) ms; write a smaller --jitter")
    }
    var result = words("delay", "\(time.text)ms")
    if spread > 0 { result += words("\(jitter.text)ms") }
    result += try correlation(20)
    if let distribution = options["distribution"], !distribution.text.isEmpty {
      result += words("distribution") + [distribution]
    }
    return result
  }

  private func rate() throws(ProfileError) -> [Word] {
    let rate = options["rate"] ?? Word(text: "100kbit", place: name.place)
    let unit = rate.text.drop { ("0"..."9").contains($0) }
    guard unit.count < rate.text.count, ["bit", "kbit", "mbit", "gbit"].contains(unit) else {
      throw rate.error(
        "\(rate.shown) is not a rate of pumba, a whole number of bit, kbit, mbit or gbit such as 100kbit")
    }
    let range = Int64(-1_000_000)...1_000_000
    let overheads = [
      try options.whole("packetoverhead", range, otherwise: 0, name),
      try options.whole("cellsize", 0...1_000_000, otherwise: 0, name),
      try options.whole("celloverhead", range, otherwise: 0, name),
    ]
    return words("rate") + [rate] + overheads.filter { $0.text != "0" }
  }

  private mutating func correlation(_ otherwise: Double) throws(ProfileError) -> [Word] {
    let word = try share("correlation", otherwise)
    return Double(word.text) == 0 ? [] : [word]
  }

  /// Returns an option's share in per cent, with the two decimals that Pumba passes on.
  private mutating func share(_ option: String, _ otherwise: Double) throws(ProfileError) -> Word {
    guard let word = options[option] else { return words(String(format: "%.2f", otherwise))[0] }
    guard let number = DecimalNumber(word.text)?.double(), (0...100).contains(number) else {
      throw word.error("\(word.shown) is not --\(option), a percentage from 0 to 100 without the sign")
    }
    let text = String(format: "%.2f", number == 0 ? 0 : number)
    if Double(text) != number { losses.add("--\(option) \(word.text)", "Pumba passes on two decimals, \(text)") }
    return Word(text: text, place: word.place)
  }

  private func words(_ texts: String...) -> [Word] { texts.map { Word(text: $0, place: name.place) } }
}

import Foundation
import NetworkConditions

/// Translates a command of Comcast into options of netem.
///
/// Latency is in milliseconds, bandwidth in kbit/s, and loss in per cent with two decimals. `--device` and `--dry-run`
/// do not matter here. On Linux, Comcast sets 1 Gbit/s for targets without a bandwidth; here they have no limit.
/// Source: tylertreat/comcast, comcast.go, throttler/tc.go and pfctl.go.
enum ComcastCommand {
  static func start(of words: [Word]) -> Int? {
    let start = words.firstIndex { $0.text != "sudo" && !$0.text.hasPrefix("-") }
    return start.flatMap { words[$0].text.split(separator: "/").last == "comcast" ? $0 : nil }
  }

  static func options(_ words: [Word], from start: Int) throws(ProfileError) -> NetemOptions {
    var rest = words[(start + 1)...]
    var options = CommandOptions(
      ["device", "latency", "target-bw", "default-bw", "packet-loss", "target-addr", "target-port", "target-proto"],
      flags: ["stop", "dry-run", "version"])
    try options.take(from: &rest, of: "comcast")
    if let word = rest.first { throw word.error("\(word.shown) is not an option of comcast; they begin with --") }
    if let word = options["stop"] ?? options["version"] {
      throw word.error("this command sets up no network; write for example comcast --latency=250 --packet-loss=10%")
    }
    let range = Int64(-1)...100_000_000_000
    var netem: [Word] = []
    func add(_ texts: String..., at word: Word) { netem += texts.map { Word(text: $0, place: word.place) } }
    if let word = options["latency"] {
      let latency = try NetemUnits.whole(word, -1...NetemUnits.longestTime / 1_000_000, "the latency in ms")
      if latency > 0 { add("delay", "\(latency)ms", at: word) }
    }
    if let word = options["target-bw"] {
      let rate = try NetemUnits.whole(word, range, "the bandwidth in kbit/s")
      guard rate != 0 else { throw word.error("tc refuses a bandwidth of 0; write --packet-loss=100%") }
      if rate > 0 { add("rate", "\(rate)kbit", at: word) }
    }
    var losses = LossList()
    if let word = options["packet-loss"] {
      let given = try NetemUnits.percent(word, "the packet loss")
      let text = String(format: "%.2f", given.value * 100)
      if Probability((Double(text) ?? 0) / 100) != given {
        losses.add("--packet-loss \(word.text)", "Comcast passes on two decimals, \(text)%")
      }
      add("loss", "\(text)%", at: word)
    }
    for (name, value) in options.given {
      switch name {
      case "default-bw":
        _ = try NetemUnits.whole(value, range, "the bandwidth in kbit/s")
        losses.add("--default-bw \(value.text)", "the profile is for the targets; other traffic has none")
      case "target-addr", "target-port", "target-proto":
        losses.add("--\(name) \(value.text)", "the profile applies to all traffic, not only to this")
      default: continue
      }
    }
    var result = try NetemParser.parse(netem, after: words[start].place)
    result.losses.add(losses.losses)
    return result
  }
}

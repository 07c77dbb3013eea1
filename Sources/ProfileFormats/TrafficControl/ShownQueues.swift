import NetworkConditions

/// Translates the output of `tc qdisc show`, which names the parameters of a loss model, into the words of commands.
///
/// Source: iproute2's tc/q_netem.c and tc/q_tbf.c.
enum ShownQueues {
  /// Returns the words of a command that would set up the shown queue; `nil` for a line that shows none.
  static func command(_ words: [Word]) -> (kind: Word, device: Word, options: [Word])? {
    guard words.count > 2, words[0].text == "qdisc" else { return nil }
    var rest = words[3...]
    var device = Word(text: "shown", place: words[0].place)
    words: while let word = rest.first {
      switch word.text {
      case "dev", "parent", "refcnt":
        guard rest.count > 1 else { return nil }
        if word.text == "dev" { device = rest[rest.startIndex + 1] }
        rest = rest.dropFirst(2)
      case "root", "offloaded", "ingress", "clsact": rest = rest.dropFirst()
      default: break words
      }
    }
    let names: Set<String> = [
      "p", "r", "1-h", "1-k", "p13", "p31", "p32", "p23", "p14", "packetoverhead", "cellsize", "celloverhead",
    ]
    var options = rest.filter { !names.contains($0.text) }
    for index in options.indices where options[index].text == "lat" { options[index].text = "latency" }
    return (words[1], device, options)
  }
}

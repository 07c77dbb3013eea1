import NetworkConditions

/// Translates the output of `tc qdisc show` and `tc -j qdisc show` into the words of commands.
///
/// JSON has seconds, shares from 0 to 1, and bytes per second. Text has names before the parameters of a loss model.
/// Source: iproute2's tc/q_netem.c and tc/q_tbf.c.
enum ShownQueues {
  /// Returns the words of a command that would set up the shown queue; `nil` for a line that shows none.
  static func command(_ words: [Word]) -> (kind: Word, device: Word, tree: QueueTree, options: [Word])? {
    guard words.count > 2, words[0].text == "qdisc" else { return nil }
    var rest = words[3...]
    var device = Word(text: "shown", place: words[0].place)
    var tree = QueueTree(handle: words[2].text)
    words: while let word = rest.first {
      switch word.text {
      case "dev", "parent", "refcnt":
        guard rest.count > 1 else { return nil }
        if word.text == "dev" { device = rest[rest.startIndex + 1] }
        if word.text == "parent" { tree.parent = rest[rest.startIndex + 1].text }
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
    return (words[1], device, tree, options)
  }

  static func commands(_ reader: FormatReader, file: String) throws(ProfileError) -> [[Word]] {
    var commands: [[Word]] = []
    for queue in try reader.elements(of: "a list of queues") {
      let object = try queue.openObject(of: "a queue")
      let kind = try object.required("kind", "write what tc -j qdisc show prints").string("a kind of queue")
      let device = try object["dev"]?.string("a device") ?? "shown"
      let handle = try object["handle"]?.string("a handle") ?? "1:"
      let parent = try object["parent"].map { reader throws(ProfileError) in ["parent", try reader.string("a handle")] }
      var words = ["qdisc", kind, handle, "dev", device] + (parent ?? ["root"])
      if let options = try object["options"]?.openObject(of: "the options of a queue") {
        if kind == "netem" { words += try netem(options) }
        if kind == "tbf" { words += try bucket(options) }
        if kind == "cake", let rate = options["bandwidth"], case .number = rate.value {
          words += ["bandwidth", "\(try rate.count("a rate", times: 8, limit: .max))bit"]
        }
      }
      let place = Place(file: file)
      commands.append(words.map { Word(text: $0, place: place) })
    }
    return commands
  }

  private static func netem(_ options: FormatObject) throws(ProfileError) -> [String] {
    var words: [String] = []
    func share(_ reader: FormatReader) throws(ProfileError) -> String {
      "\(try reader.decimal("a share").double(timesTenTo: 2))%"
    }
    for (key, value) in options.entries {
      switch key {
      case "limit", "gap", "seed": words += [key, "\(try value.count("a number", times: 1, limit: .max))"]
      case "delay":
        let delay = try value.openObject(of: "a delay")
        words.append("delay")
        for name in ["delay", "jitter"] {
          let time = try delay[name]?.count("a time in seconds", times: 1_000_000_000, limit: .max) ?? 0
          words.append("\(time)ns")
        }
        if let correlation = delay["correlation"] { words.append(try share(correlation)) }
      case "loss-random", "duplicate", "corrupt", "reorder":
        let drawn = try value.openObject(of: "a share")
        let name = key == "loss-random" ? "loss" : key
        words += [name, try share(try drawn.required(name, "write what tc -j prints"))]
        if let correlation = drawn["correlation"] { words.append(try share(correlation)) }
      case "loss-gemodel", "loss-state":
        words += ["loss", key == "loss-state" ? "state" : "gemodel"]
        for (_, value) in try value.openObject(of: "a loss").entries { words.append(try share(value)) }
      case "rate":
        let rate = try value.openObject(of: "a rate")
        words.append("rate")
        for (name, value) in rate.entries {
          let isRate = name == "rate"
          guard case .number(let text) = value.value else { throw value.error("\(value.value.shown) is not a number") }
          words.append(isRate ? "\(try value.count("a rate", times: 8, limit: .max))bit" : text)
        }
      case "ecn": if value.value != .bool(false) { words.append("ecn") }
      default: throw value.error("\(key.quoted) is not an option of netem that is known here")
      }
    }
    return words
  }

  private static func bucket(_ options: FormatObject) throws(ProfileError) -> [String] {
    var words: [String] = []
    for (key, value) in options.entries {
      switch key {
      case "rate", "peakrate": words += [key, "\(try value.count("a rate", times: 8, limit: .max))bit"]
      case "burst": words += ["burst", "\(try value.count("a size", times: 1, limit: .max))b"]
      case "lat": words += ["latency", "\(try value.count("a time", times: 1, limit: .max))us"]
      default: continue
      }
    }
    return words
  }
}

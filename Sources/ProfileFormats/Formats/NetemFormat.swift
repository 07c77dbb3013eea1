import NetworkConditions

extension ProfileFormat {
  /// Lines of options of tc-netem(8), the network emulator of Linux.
  ///
  /// Each line shapes one direction, and above it stands a comment that begins with `# down` or `# up`. A single line
  /// counts for both directions, each with the whole delay. The text before the word `netem` is ignored.
  ///
  /// Commands of tools that set up netem are read as such lines: `pumba netem … delay --time 3000 web` and `comcast
  /// --latency=250 --target-bw=1000 --packet-loss=10%`. Their durations and filters are lost.
  ///
  /// Lost on import: slot, ecn, all correlations but that of jitter, a rate's overheads, and p32, p23 and p14 of `loss
  /// state`. Source: tc-netem(8), tc(8), iproute2's tc/q_netem.c and the kernel's net/sched/sch_netem.c.
  public static let netem = ProfileFormat(NetemFormat())
}

struct NetemFormat: ProfileCoding {
  var name: String { "netem" }
  var summary: String { "options of tc-netem, Linux: delay 100ms loss 1% rate 1mbit" }

  func profiles(in document: FormatDocument) throws(ProfileError) -> [ImportedProfile] {
    let start = Place(file: document.file)
    var links: [Direction: LinkConditions] = [:]
    var unlabelled: LinkConditions?
    var label: Direction?
    var losses = LossList()
    for element in try ShellWords.parse(document.text(), at: Place(file: document.file)) {
      switch element {
      case .comment(let text): label = Self.direction(of: text) ?? label
      case .command(let words):
        let place = words[0].place
        let (link, lost) = NetemLink.read(try Self.options(words))
        losses.add(lost.losses)
        if let direction = label {
          guard links[direction] == nil else { throw place.error("the direction \(direction.rawValue) is given twice") }
          links[direction] = link
        } else {
          guard unlabelled == nil else {
            throw place.error(
              "a second line, and none says which direction it shapes; write # down or # up above each, or import the "
                + "whole script as tc")
          }
          unlabelled = link
        }
        label = nil
      }
    }
    if let unlabelled {
      guard links.isEmpty else {
        throw start.error("one line says which direction it shapes and another does not; write # down or # up above it")
      }
      links = [.down: unlabelled, .up: unlabelled]
    }
    guard !links.isEmpty else {
      throw start.error("there is no netem line; write for example delay 100ms loss 1%")
    }
    let profile = NetworkProfile(
      name: document.profileName(), down: links[.down] ?? .unlimited, up: links[.up] ?? .unlimited)
    return [ImportedProfile(profile, from: self, losses: losses.losses)]
  }

  func export(_ profile: NetworkProfile) -> ExportedDocument {
    let (down, up, losses) = NetemLink.write(profile)
    let text = down == up ? "\(down)\n" : "# down\n\(down)\n# up\n\(up)\n"
    return ExportedDocument(text: text, losses: losses)
  }

  private static func direction(of comment: String) -> Direction? {
    let word = comment.drop { $0 == "#" || $0 == " " }.prefix { $0.isLetter }.lowercased()
    return switch word {
    case "down", "download", "downlink", "downstream": .down
    case "up", "upload", "uplink", "upstream": .up
    default: nil
    }
  }

  private static func options(_ words: [Word]) throws(ProfileError) -> NetemOptions {
    if let start = ComcastCommand.start(of: words) { return try ComcastCommand.options(words, from: start) }
    if let index = words.firstIndex(where: { $0.text == "netem" }) {
      if let start = PumbaCommand.start(of: words[..<index]) {
        return try PumbaCommand.options(words, pumba: start, netem: index)
      }
      return try NetemParser.parse(words[(index + 1)...], after: words[index].place)
    }
    if PumbaCommand.start(of: words[...]) != nil {
      throw words[0].error("there is no netem in this command; write for example pumba netem delay --time 100 web")
    }
    if ["tc", "sudo"].contains(words[0].text) {
      throw words[0].error("there is no netem in this command; import a whole script as tc")
    }
    return try NetemParser.parse(words, after: words[0].place)
  }
}

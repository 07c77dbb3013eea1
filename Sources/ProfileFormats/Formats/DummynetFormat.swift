import NetworkConditions

extension ProfileFormat {
  /// Pipes of dummynet, as dnctl(8) of macOS and ipfw(8) of FreeBSD configure them.
  ///
  /// A rule sends a direction through a pipe: `in` is the download and `out` the upload. For pf it is `dummynet in all
  /// pipe 1`, for ipfw `add pipe 1 ip from any to any in`. Without rules pipe 1 is the download and pipe 2 the upload.
  /// One pipe alone is both.
  ///
  /// Lost on import: masks, buckets, RED and other queues. Queue lengths in bytes become packets. Source: dnctl(8),
  /// ipfw(8), pf.conf(5) of macOS and sbin/ipfw/dummynet.c of FreeBSD.
  public static let dummynet = ProfileFormat(DummynetFormat())
}

struct DummynetFormat: ProfileCoding {
  var name: String { "dummynet" }
  var summary: String { "pipes of dummynet, macOS and FreeBSD: dnctl pipe 1 config" }

  func profiles(in document: FormatDocument) throws(ProfileError) -> [ImportedProfile] {
    var losses = LossList()
    var pipes: [Int64: LinkConditions] = [:]
    var directions: [Direction: Int64] = [:]
    for case .command(let words) in try ShellWords.parse(document.text(), at: Place(file: document.file)) {
      if let (number, options) = try Self.configuration(words) {
        if pipes[number] != nil { losses.add("pipe \(number)", "of several configurations the last one counts") }
        pipes[number] = try DummynetPipe.read(options, &losses)
      } else {
        try Self.readRule(words, &directions)
      }
    }
    let start = Place(file: document.file)
    guard !pipes.isEmpty else {
      throw start.error("no pipe is configured; write for example dnctl pipe 1 config bw 780Kbit/s delay 100ms")
    }
    for number in directions.values.sorted() where pipes[number] == nil {
      throw start.error("a rule uses pipe \(number), which is not configured")
    }
    if directions.isEmpty {
      let numbers = pipes.keys.sorted()
      guard numbers.count <= 2 else {
        throw start.error("\(numbers.count) pipes are configured, but no rule says which is in and which is out")
      }
      directions = [.down: numbers[0], .up: numbers[numbers.count - 1]]
    }
    let profile = NetworkProfile(
      name: document.profileName(), down: directions[.down].flatMap { pipes[$0] } ?? .unlimited,
      up: directions[.up].flatMap { pipes[$0] } ?? .unlimited)
    return [ImportedProfile(profile, from: self, losses: losses.losses)]
  }

  private static func configuration(_ words: [Word]) throws(ProfileError) -> (Int64, ArraySlice<Word>)? {
    guard let pipe = words.firstIndex(where: { $0.text == "pipe" }), pipe + 2 < words.count,
      words[pipe + 2].text == "config"
    else { return nil }
    return (try NetemUnits.whole(words[pipe + 1], 1...65_535, "the number of a pipe"), words[(pipe + 3)...])
  }

  /// Reads from a rule which pipe a direction goes through; the rule may stand within an `echo`.
  private static func readRule(_ words: [Word], _ directions: inout [Direction: Int64]) throws(ProfileError) {
    var rest = words.flatMap { word in
      word.text.split { $0 == " " || $0 == "\n" || $0 == "\t" }.map { Word(text: String($0), place: word.place) }
    }[...]
    while let index = rest.firstIndex(where: { $0.text == "pipe" }), index + 1 < rest.endIndex {
      let rule = rest[..<index]
      let number = rest[index + 1]
      rest = rest[(index + 2)...]
      guard rule.contains(where: { $0.text == "dummynet" || $0.text == "add" }) else { continue }
      // ipfw writes the direction after the pipe, pf before it.
      let after = rest.prefix { !["dummynet", "add", "pipe"].contains($0.text) }
      func isWay(_ word: Word) -> Bool { word.text == "in" || word.text == "out" }
      guard let way = rule.last(where: isWay) ?? after.first(where: isWay) else { continue }
      directions[way.text == "in" ? .down : .up] =
        try NetemUnits.whole(number, 1...65_535, "the number of a pipe")
    }
  }

  func export(_ profile: NetworkProfile) -> ExportedDocument {
    var steady = SteadyConditions(profile)
    steady.dropNameResolution()
    steady.writeOutageAsLoss()
    steady.keep(LinkAbilities(queue: true))
    let down = DummynetPipe.write(steady.conditions.down, "down", &steady.losses)
    let up = DummynetPipe.write(steady.conditions.up, "up", &steady.losses)
    let text = """
      #!/bin/sh
      # Shapes all incoming and outgoing traffic; run as root on the client.
      dnctl pipe 1 config \(down)
      dnctl pipe 2 config \(up)
      (cat /etc/pf.conf; echo "dummynet in all pipe 1"; echo "dummynet out all pipe 2") | pfctl -q -f -
      pfctl -q -E

      # To remove it:
      # pfctl -q -f /etc/pf.conf
      # dnctl -q flush

      """
    return ExportedDocument(text: text, losses: steady.losses.losses)
  }
}

import NetworkConditions

extension ProfileFormat {
  /// Shell scripts of tc(8) that shape both directions of a device, with netem, tbf and htb.
  ///
  /// The upload leaves the device. Scripts redirect the arriving download to a device of kind ifb, and shape it as it
  /// leaves that. The commands are interpreted, not run: variables, quotation marks and `sudo` are understood, loops
  /// are not. If a script ends by removing everything, the state before that counts.
  ///
  /// The output of `tc qdisc show` is read as well, also as JSON (`tc -j`). It does not contain the table of a jitter,
  /// nor redirections, so a device of kind ifb counts as the download.
  ///
  /// A queue below tbf takes the place of tbf's own. The bandwidth of cake is read, not its queue.
  ///
  /// Lost on import: the losses of ``netem``, the burst and peak of tbf, other queues, filters, policers, and commands
  /// of tc that are not understood. Source: tc(8), tc-netem(8), tc-tbf(8), tc-htb(8), tc-cake(8), and tc-mirred(8) for
  /// the redirection.
  public static let tc = ProfileFormat(TrafficControlFormat())
}

struct TrafficControlFormat: ProfileCoding {
  var name: String { "tc" }
  var summary: String { "shell scripts of tc for both directions, Linux" }

  func profiles(in document: FormatDocument) throws(ProfileError) -> [ImportedProfile] {
    var reader = TrafficControlReader()
    let start = Place(file: document.file)
    let text = try document.text()
    if text.first(where: { !$0.isWhitespace }) == "[" {
      let shown = try document.readingJSON("the queues of tc -j") { json throws(ProfileError) in
        try ShownQueues.commands(json, file: document.file)
      }
      for words in shown { try reader.follow(words) }
    } else {
      for case .command(let words) in try ShellWords.parse(text, at: start) { try reader.follow(words) }
    }
    let shaped = reader.order.filter { reader.result[$0]?.isShaped == true }
    let downDevice = reader.redirected?.to ?? shaped.first { $0.hasPrefix("ifb") }
    let upDevices = shaped.filter { $0 != downDevice }
    guard !shaped.isEmpty else {
      let lost = reader.losses.prefix(3).map(\.description)
      guard lost.isEmpty else {
        throw start.error("nothing is shaped that can be simulated; left out: \(lost.joined(separator: "; "))")
      }
      throw start.error("nothing is shaped; write for example tc qdisc add dev eth0 root netem delay 100ms")
    }
    guard upDevices.count <= 1 else {
      let names = upDevices.map(\.quoted).prefix(3).joined(separator: " and ")
      throw start.error("\(names) are shaped, but nothing says which is the download; redirect it to ifb0, or split it")
    }
    var losses = LossList()
    func link(_ device: String?) -> LinkConditions {
      guard let device, let state = reader.result[device] else { return .unlimited }
      let (link, lost) = state.link
      losses.add(lost.losses)
      return state.isShaped ? link : .unlimited
    }
    let profile = NetworkProfile(
      name: document.profileName(), down: link(downDevice), up: link(upDevices.first))
    losses.add(reader.losses)
    return [ImportedProfile(profile, from: self, losses: losses.losses)]
  }

  func export(_ profile: NetworkProfile) -> ExportedDocument {
    let (down, up, losses) = NetemLink.write(profile)
    let text = """
      #!/bin/sh
      # Shapes a device in both directions; run as root on the client: sh FILE [DEVICE [IFB]]
      set -e
      DEV=${1:-eth0}
      IFB=${2:-ifb0}

      # Up: what leaves the device.
      tc qdisc replace dev "$DEV" root netem \(up)

      # Down: what arrives at the device, as it leaves another.
      ip link show "$IFB" >/dev/null 2>&1 || ip link add "$IFB" type ifb
      ip link set dev "$IFB" up
      tc qdisc show dev "$DEV" | grep -q ingress || tc qdisc add dev "$DEV" handle ffff: ingress
      tc filter replace dev "$DEV" parent ffff: protocol all prio 1 matchall action mirred egress redirect dev "$IFB"
      tc qdisc replace dev "$IFB" root netem \(down)

      # To remove it:
      # tc qdisc del dev "$DEV" root
      # tc qdisc del dev "$DEV" ingress
      # ip link del "$IFB"

      """
    return ExportedDocument(text: text, losses: losses)
  }
}

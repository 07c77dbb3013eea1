import NetworkConditions

extension ProfileFormat {
  /// Network conditions of Chrome: DevTools, Puppeteer and the DevTools protocol.
  ///
  /// Rates (`download`, `upload`, or `downloadThroughput`, `uploadThroughput`) are bytes per second; -1 and 0 are no
  /// limit. `latency` is the least time in milliseconds from a request to its response. It is read as a round trip,
  /// half in each direction. The network is offline where `offline` says so, or where `download`, `upload` and
  /// `latency` are all 0.
  ///
  /// A document is one object, a list of objects, or an object of them by name. Profiles are read with the model of
  /// DevTools, `PathConditions.Model.devTools`. Of a profile with the model of links, the rates and the round trip are
  /// written.
  ///
  /// Chrome uses `packetLoss` (per cent), `packetQueueLength` and `packetReordering` only for WebRTC, so they are left
  /// out. Source: the DevTools protocol's `Network.emulateNetworkConditions`, and front_end/core/sdk/NetworkManager.ts
  /// of ChromeDevTools/devtools-frontend.
  public static let chrome = ProfileFormat(ChromeFormat())
}

struct ChromeFormat: ProfileCoding {
  var name: String { "chrome" }
  var summary: String { "conditions of Chrome DevTools and Puppeteer: JSON, bytes/s" }

  private static let webRTC = "Chrome applies it only to WebRTC"
  private static let keys = [
    "title", "name", "key", "i18nTitleKey", "id", "offline", "latency", "download", "upload", "downloadThroughput",
    "uploadThroughput", "packetLoss", "packetQueueLength", "packetReordering", "connectionType", "targetLatency",
    "urlPattern",
  ]

  func profiles(in document: FormatDocument) throws(ProfileError) -> [ImportedProfile] {
    try document.readingJSON("network conditions of Chrome") { reader throws(ProfileError) in
      try NamedEntries.read(try Self.parameters(reader), of: "network conditions", isEntry: Self.isEntry) {
        name, entry throws(ProfileError) in
        try self.read(entry, name: document.profileName(name))
      }
    }
  }

  /// The parameters of a message of the DevTools protocol; other documents are returned as they are.
  private static func parameters(_ reader: FormatReader) throws(ProfileError) -> FormatReader {
    guard case .object = reader.value else { return reader }
    let object = try reader.openObject(of: "network conditions")
    return object["method"] == nil ? reader : object["params"] ?? reader
  }

  private static func isEntry(_ keys: [String]) -> Bool {
    keys.contains {
      ["download", "upload", "downloadThroughput", "uploadThroughput", "latency", "offline"].contains($0)
    }
  }

  private func read(_ reader: FormatReader, name: String) throws(ProfileError) -> ImportedProfile {
    let object = try reader.object(keys: Self.keys, of: "network conditions")
    var losses = LossList()
    var conditions = PathConditions()
    for pair in [("download", "downloadThroughput"), ("upload", "uploadThroughput")] {
      guard object[pair.0] == nil || object[pair.1] == nil else {
        throw reader.error("both \(pair.0.quoted) and \(pair.1.quoted) are given; write one of them")
      }
    }
    conditions.down.rate = try Self.rate(object["download"] ?? object["downloadThroughput"])
    conditions.up.rate = try Self.rate(object["upload"] ?? object["uploadThroughput"])
    let latency = try object["latency"]?.milliseconds("the latency", limit: PathConditions.longestRoundTrip) ?? 0
    conditions.setRoundTrip(latency)
    if conditions.hasEffect { conditions.model = .devTools }
    if let loss = object["packetLoss"], try loss.percent("the loss") > .zero { losses.add("packetLoss", Self.webRTC) }
    if let queue = object["packetQueueLength"] {
      _ = try queue.wholeNumber(0...10_000_000, "a number of packets")
      losses.add("packetQueueLength", Self.webRTC)
    }
    if try object["packetReordering"]?.bool() == true { losses.add("packetReordering", Self.webRTC) }
    if let type = object["connectionType"] {
      losses.add("connectionType", "\(type.value.shown) is what the browser is told, not what the network does")
    }
    if let pattern = object["urlPattern"] {
      losses.add("urlPattern", "the conditions apply to all requests, not only to \(pattern.value.shown)")
    }
    let isStill = ["download", "upload", "latency"].allSatisfy { key in
      if case .number(let text)? = object[key]?.value { DecimalNumber(text)?.isZero == true } else { false }
    }
    if try object["offline"]?.bool() ?? isStill { conditions = PathConditions(outage: .refuse) }
    return ImportedProfile(NetworkProfile(name: name, base: conditions), from: self, losses: losses.losses)
  }

  /// Reads a rate in bytes per second; -1 and 0 are no limit.
  private static func rate(_ reader: FormatReader?) throws(ProfileError) -> Bandwidth? {
    guard let reader else { return nil }
    let number = try reader.decimal("a rate in bytes per second")
    if number.isZero || number.double() == -1 { return nil }
    let bits = try reader.count("a rate in bytes per second", times: 8, limit: Bandwidth.maximum.bitsPerSecond)
    return bits == 0 ? nil : Bandwidth(bitsPerSecond: bits)
  }

  func export(_ profile: NetworkProfile) -> ExportedDocument {
    var steady = SteadyConditions(profile, models: [.devTools])
    steady.dropNameResolution()
    let path = steady.conditions
    var isOffline = path.outage != nil
    if path.outage == .drop {
      steady.losses.add("outage", "Chrome's offline refuses requests at once, instead of leaving them unanswered")
    }
    if path.outage == nil, path.down.rate == .zero || path.up.rate == .zero {
      steady.losses.add("rate", "a rate of zero, which means no limit in Chrome, is written as offline")
      isOffline = true
    }
    let title = JSONValue.string(profile.portableName)
    guard !isOffline else {
      let zero = JSONValue.number("0")
      let json: JSONValue = [
        "title": title, "offline": .bool(true), "latency": zero, "downloadThroughput": zero, "uploadThroughput": zero,
      ]
      return ExportedDocument(text: json.prettyText, losses: steady.losses.losses)
    }
    steady.keep(LinkAbilities(loss: false))
    let link = steady.conditions
    RoundTripText.listUneven(link, &steady.losses)
    let json: JSONValue = [
      "title": title, "offline": .bool(false), "latency": .number(link.roundTrip.millisecondText),
      "downloadThroughput": .number(link.down.rate?.bytesPerSecondText ?? "-1"),
      "uploadThroughput": .number(link.up.rate?.bytesPerSecondText ?? "-1"),
    ]
    return ExportedDocument(text: json.prettyText, losses: steady.losses.losses)
  }
}

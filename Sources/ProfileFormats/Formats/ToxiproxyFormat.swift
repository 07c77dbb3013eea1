import NetworkConditions

extension ProfileFormat {
  /// Toxics of Toxiproxy, as its HTTP API and its command line take them.
  ///
  /// A document is one toxic, a list of toxics, a proxy with its toxics, or proxies by name or in a list. A list is
  /// written, in which each element is a body for `POST /proxies/NAME/toxics`. Lines of `toxiproxy-cli toxic add` are
  /// read as well; those for one proxy make one profile.
  ///
  /// The stream `downstream` is the download. `latency` (ms) has an even jitter of ±`jitter`; `bandwidth` counts 1000
  /// bytes per second. `limit_data` truncates a response, `reset_peer` resets, `slow_close` ends late, and `timeout`
  /// never answers. Toxics of one kind add up, except rates: the slowest counts.
  ///
  /// Toxiproxy works on streams: it does not lose, queue or reorder packets. Lost on import: `slicer`, the time after
  /// which `timeout` and `reset_peer` strike, and the `toxicity` of toxics that become no fault. Source: the README of
  /// Shopify/toxiproxy and its folder toxics.
  public static let toxiproxy = ProfileFormat(ToxiproxyFormat())
}

struct ToxiproxyFormat: ProfileCoding {
  var name: String { "toxiproxy" }
  var summary: String { "toxics of Toxiproxy: JSON, ms and KB/s" }

  private static let mostToxics = 1_000
  private static let proxyKeys = ["name", "listen", "upstream", "enabled", "toxics", "Logger"]

  func profiles(in document: FormatDocument) throws(ProfileError) -> [ImportedProfile] {
    if let commands = try ToxicCommands(in: document) { return try commands.profiles(of: self) }
    return try document.readingJSON("toxics of Toxiproxy") { reader throws(ProfileError) in
      try self.read(reader, document)
    }
  }

  private func read(_ reader: FormatReader, _ document: FormatDocument) throws(ProfileError) -> [ImportedProfile] {
    if case .object = reader.value {
      let keys = try reader.openObject(of: "a toxic").keys
      if keys.contains("type") { return [try importing([reader], name: document.profileName())] }
    } else {
      let elements = try reader.elements(of: "a list of toxics")
      var areToxics = true
      for element in elements where try !element.openObject(of: "a toxic").keys.contains("type") { areToxics = false }
      if areToxics { return [try importing(elements, name: document.profileName())] }
    }
    return try NamedEntries.read(
      reader, of: "toxics", isEntry: { keys in keys.contains { Self.proxyKeys.contains($0) } }
    ) { name, entry throws(ProfileError) in
      let proxy = try entry.object(keys: Self.proxyKeys, of: "a proxy")
      let toxics = try proxy["toxics"]?.elements(of: "a list of toxics") ?? []
      var imported = try self.importing(toxics, name: document.profileName(name))
      if toxics.isEmpty {
        imported = ImportedProfile(
          imported.profile, from: self,
          losses: [.init("toxics", "this proxy has none: a running Toxiproxy says which at GET /proxies")])
      }
      if try proxy["enabled"]?.bool() == false {
        imported.profile = NetworkProfile(
          name: imported.profile.name, base: PathConditions(outage: .refuse))
        imported = ImportedProfile(imported.profile, from: self)
      }
      return imported
    }
  }

  private func importing(_ toxics: [FormatReader], name: String) throws(ProfileError) -> ImportedProfile {
    var reader = ToxicReader()
    if let beyond = toxics.dropFirst(Self.mostToxics).first {
      throw beyond.error("more than \(Self.mostToxics) toxics are too many for a proxy")
    }
    for toxic in toxics { try reader.read(toxic) }
    let profile = NetworkProfile(name: name, base: reader.conditions, faults: reader.faults)
    return ImportedProfile(profile, from: self, losses: reader.losses.losses)
  }

  func export(_ profile: NetworkProfile) -> ExportedDocument {
    var writer = ToxicWriter(profile)
    return writer.export()
  }
}

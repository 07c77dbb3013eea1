import LinkSimulator
import NetworkConditions

final class ToxicProxy {
  let name: String
  var listen: SocketAddress
  /// The address to listen on, as it was written; `nil` once the proxy has listened.
  var wantedListen: String?
  var upstream: ProxyRequest.Target
  var listener: Int32?
  var toxics: [Toxic] = []
  var connectionCount: UInt64 = 0
  /// The paths of the proxy's link, by the names of the toxics that apply to only some connections.
  fileprivate var paths: [[String]: Int] = [:]
  /// The paths that only older connections use, since their packets would delay the packets of new connections.
  fileprivate var formerPaths: [(toxics: [String], path: Int)] = []

  init(name: String, listen: SocketAddress, upstream: ProxyRequest.Target) {
    self.name = name
    self.listen = listen
    self.upstream = upstream
  }

  var isEnabled: Bool { listener != nil }

  var json: JSONValue {
    [
      "name": .string(name), "listen": .string(wantedListen ?? listen.description),
      "upstream": .string(upstream.authority),
      "enabled": .bool(isEnabled), "toxics": .array(toxics.map(\.json)),
    ]
  }

  /// Forgets all connections and their count when a new network begins, so that equal seeds draw equal toxics.
  func startOver() { (paths, formerPaths, connectionCount) = ([:], [], 0) }
}

extension ProxyConnection {
  /// The proxy of toxiproxy's API to which the client connected, if it was one.
  var toxicProxy: ToxicProxy? {
    if case .forward(_, _, let proxy) = entrance { proxy } else { nil }
  }
}

extension ProxyCore {
  // MARK: The link

  func path(of connection: ProxyConnection, on proxy: ToxicProxy) -> Int {
    proxy.connectionCount += 1
    let draw = KeyedRandom(seed: network.seed).keyed(by: "toxic").keyed(by: proxy.name).keyed(by: proxy.connectionCount)
    connection.toxics = ConnectionToxics(chance: draw)
    strike(connection, by: proxy)
    let some = connection.toxics.ownLink
    if let known = proxy.paths[some] { return known }
    let place = proxy.formerPaths.firstIndex { $0.toxics == some && network.isEmpty($0.path) }
    let path =
      place.map { proxy.formerPaths.remove(at: $0).path } ?? network.addPath(profile(of: proxy, with: some))
    proxy.paths[some] = path
    return path
  }

  private func profile(of proxy: ToxicProxy, with some: [String]) -> NetworkProfile {
    let toxics = proxy.toxics.filter { $0.kind.isOfLink && ($0.toxicity >= 1 || some.contains($0.name)) }
    var profile = network.profile.changing { conditions in
      for toxic in toxics { toxic.apply(to: &conditions) }
    }
    profile.name = ([network.profile.name, proxy.name] + some).joined(separator: "@")
    return profile
  }

  /// Applies changed toxics, or a changed profile, to the proxy's open connections at once.
  ///
  /// Packets on a link keep their order. When its delay becomes shorter, new connections get another link.
  func toxicsChanged(_ proxy: ToxicProxy) {
    let current = proxy.paths.map { (toxics: $0.key, path: $0.value) }
    for (toxics, path) in (current + proxy.formerPaths).sorted(by: { $0.path < $1.path }) {
      let (old, new) = (network.profile(on: path), profile(of: proxy, with: toxics))
      network.use(new, on: path)
      let isShorter = Direction.allCases.contains { new.base[$0].delay < old.base[$0].delay }
      guard isShorter, proxy.paths[toxics] == path else { continue }
      proxy.paths[toxics] = nil
      proxy.formerPaths.append((toxics, path))
    }
    for connection in connections(of: proxy) {
      strike(connection, by: proxy)
      pump(connection)
    }
  }

  func connections(of proxy: ToxicProxy) -> [ProxyConnection] {
    clients.values.filter { $0.toxicProxy === proxy }.sorted { $0.number < $1.number }
  }

  private func strike(_ connection: ProxyConnection, by proxy: ToxicProxy) {
    for toxic in connection.toxics.draw(from: proxy.toxics) {
      switch toxic.kind {
      case .resetPeer: closeLater(connection, after: toxic, resetting: true)
      case .timeout where toxic["timeout"] > 0: closeLater(connection, after: toxic, resetting: false)
      default: break
      }
    }
  }

  private func closeLater(_ connection: ProxyConnection, after toxic: Toxic, resetting: Bool) {
    after(.milliseconds(toxic["timeout"])) { [self] in
      if connection.toxics.all.contains(toxic) { close(connection, resetting: resetting) }
    }
  }

  func passed(_ count: Int, _ direction: Direction, _ connection: ProxyConnection) {
    guard var effects = connection.toxics.effects[direction] else { return }
    effects.passed += Int64(count)
    if let slices = effects.slices, count > 0 {
      effects.nextSlice = network.time.advanced(by: slices.pause)
      after(slices.pause) { [self] in pump(connection) }
    }
    connection.toxics.effects[direction] = effects
    // Bytes beyond the limit are dropped, and both ends are closed without a reset.
    if let limit = effects.limit, effects.passed >= limit, !effects.isStopped {
      after(.zero) { [self] in close(connection) }
    }
  }
}

import Foundation
import LinkSimulator
import NetworkConditions

/// The services that the control API needs from the owner of the sockets and the clock.
protocol ControlHost: AnyObject {
  func open(_ proxy: ToxicProxy) throws(ProxyError)
  func close(_ listener: Int32)
  var timeScale: Double { get set }
  func restart(seed: UInt64)
}

/// Changes a proxy over HTTP: toxiproxy 2's API (its `api.go`), and calls of our own below `/netcond`.
final class ControlAPI {
  private unowned let core: ProxyCore
  private unowned let host: any ControlHost
  private var proxies: [ToxicProxy] = []
  /// Whether the person who starts the program is creating proxies; that person may listen on any address.
  private var isStarting = false
  static let version = "2.12.0"

  init(core: ProxyCore, host: any ControlHost) {
    self.core = core
    self.host = host
  }

  func answer(_ request: ControlRequest) -> ControlAnswer {
    if let refusal = core.guardian.refusal(of: request) { return refusal }
    do {
      return try route(request)
    } catch {
      return error.answer
    }
  }

  private func route(_ request: ControlRequest) throws(ControlError) -> ControlAnswer {
    let path = request.path
    let isUpdate = ["POST", "PATCH"].contains(request.method)
    switch (request.method, path.count) {
    case ("GET", 1) where path == ["version"]: return json(["version": .string(Self.version)])
    case ("POST", 1) where path == ["reset"]: return try reset()
    case ("POST", 1) where path == ["populate"]: return try populate(request)
    case ("GET", 1) where path == ["proxies"]:
      return json(.members(proxies.map { ($0.name, $0.json) }))
    case ("POST", 1) where path == ["proxies"]: return json(try create(document(request)).json, status: 201)
    case (_, 1...) where path[0] == "netcond": return try own(request)
    case (_, 2...) where path[0] == "proxies":
      guard let proxy = proxies.first(where: { $0.name == path[1] }) else { throw ControlError(404, "proxy not found") }
      if path.count == 2 { return try change(proxy, request, isUpdate) }
      guard path[2] == "toxics" else { break }
      if path.count == 3 {
        if request.method == "GET" { return json(.array(proxy.toxics.map(\.json))) }
        if request.method == "POST" { return try addToxic(document(request), to: proxy) }
      } else if path.count == 4 {
        return try change(toxic: path[3], of: proxy, request, isUpdate)
      }
    default: break
    }
    let isOfToxics = path.count == 3 && path[0] == "proxies" && path[2] == "toxics"
    let isKnown = isOfToxics || [["version"], ["reset"], ["populate"], ["proxies"]].contains(path)
    return isKnown ? Self.notAllowed : Self.notFound
  }

  private static let notFound = ControlAnswer(status: 404, text: "404 page not found\n")
  /// The answer for a known path with a method that it does not support.
  private static let notAllowed = ControlAnswer(status: 405, text: "Method Not Allowed\n")

  private func json(_ value: JSONValue, status: Int = 200) -> ControlAnswer {
    ControlAnswer(status: status, json: value.compactText)
  }

  private func document(_ request: ControlRequest) throws(ControlError) -> JSONValue {
    try document(Data(request.body), file: "request", "bad request body: ")
  }

  private func document(_ data: Data, file: String, _ prefix: String) throws(ControlError) -> JSONValue {
    do throws(ProfileError) {
      return try JSONParser.parse(data, file: file)
    } catch {
      throw ControlError(400, "\(prefix)\(error)")
    }
  }

  // MARK: Proxies

  /// Creates the proxies of a toxiproxy configuration file, and returns their addresses.
  @discardableResult
  func populate(_ file: Data) throws(ControlError) -> [SocketAddress] {
    let document = try document(file, file: "configuration", "")
    isStarting = true
    defer { isStarting = false }
    return try populate(document).filter(\.isEnabled).map(\.listen)
  }

  private func populate(_ document: JSONValue) throws(ControlError) -> [ToxicProxy] {
    guard case .array(let entries) = document else {
      throw ControlError(400, "bad request body: it must be a list of proxies")
    }
    // All entries are checked before the first proxy is created.
    for (index, entry) in entries.enumerated() {
      for field in ["name", "upstream"] where try entry.text(field) ?? "" == "" {
        throw ControlError(400, "missing required field: \(field) at proxy \(index + 1)")
      }
    }
    var made: [ToxicProxy] = []
    for entry in entries {
      let name = try entry.text("name") ?? ""
      if let known = proxies.first(where: { $0.name == name }) {
        let (listen, upstream) = try addresses(entry, known)
        if known.listen == listen, known.upstream == upstream {
          made.append(known)
          continue
        }
        remove(known)
      }
      made.append(try create(entry))
    }
    return made
  }

  private func populate(_ request: ControlRequest) throws(ControlError) -> ControlAnswer {
    let made = try populate(document(request))
    return json(["proxies": .array(made.map(\.json))], status: 201)
  }

  private func addresses(_ json: JSONValue, _ known: ToxicProxy? = nil) throws(ControlError)
    -> (SocketAddress, ProxyRequest.Target)
  {
    let listenText = try json.text("listen") ?? ""
    let upstreamText = try json.text("upstream") ?? ""
    var listen = known?.listen ?? .loopback()
    if !listenText.isEmpty {
      guard let address = SocketAddress(listenText) else {
        throw ControlError(400, "bad request body: listen: \(listenText.quoted) is not an address with a port")
      }
      listen =
        address.port == 0 ? known.map { $0.listen.host == address.host ? $0.listen : address } ?? address : address
    }
    guard isStarting || core.guardian.mayListen(at: listen) else {
      throw ControlError(
        403,
        "Other machines could reach a proxy at \(listen). Listen on 127.0.0.1, or start netcond with an address such as "
          + "--control 0.0.0.0:8474.")
    }
    guard !upstreamText.isEmpty else {
      if let known { return (listen, known.upstream) }
      throw ControlError(400, "missing required field: upstream")
    }
    do throws(HTTPError) {
      return (listen, try ProxyRequest.Target(authority: upstreamText[...]))
    } catch {
      throw ControlError(400, "bad request body: upstream: \(error.sentence)")
    }
  }

  private func create(_ json: JSONValue) throws(ControlError) -> ToxicProxy {
    guard let name = try json.text("name"), !name.isEmpty else {
      throw ControlError(400, "missing required field: name")
    }
    let (listen, upstream) = try addresses(json)
    guard !proxies.contains(where: { $0.name == name }) else { throw ControlError(409, "proxy already exists") }
    let proxy = ToxicProxy(name: name, listen: listen, upstream: upstream)
    proxy.wantedListen = try json.text("listen")
    if try json.flag("enabled") ?? true { try open(proxy) }
    if isStarting { core.guardian.named.append(proxy.listen) }
    proxies.append(proxy)
    proxies.sort { $0.name < $1.name }
    return proxy
  }

  private func open(_ proxy: ToxicProxy) throws(ControlError) {
    do throws(ProxyError) {
      try host.open(proxy)
      proxy.wantedListen = nil
    } catch {
      guard case .cannotListen(let address, let reason) = error else { throw ControlError(500, "\(error)") }
      // The words of toxiproxy, so that its users know what happened.
      throw ControlError(500, "listen tcp \(address): bind: \(reason.lowercased())")
    }
  }

  private func shut(_ proxy: ToxicProxy) {
    if let listener = proxy.listener { host.close(listener) }
    proxy.listener = nil
    for connection in core.connections(of: proxy) { core.close(connection) }
  }

  private func remove(_ proxy: ToxicProxy) {
    shut(proxy)
    proxies.removeAll { $0 === proxy }
  }

  private func change(_ proxy: ToxicProxy, _ request: ControlRequest, _ isUpdate: Bool) throws(ControlError)
    -> ControlAnswer
  {
    if request.method == "GET" { return json(proxy.json) }
    if request.method == "DELETE" {
      remove(proxy)
      return .empty
    }
    guard isUpdate else { return Self.notAllowed }
    let document = try document(request)
    let (listen, upstream) = try addresses(document, proxy)
    let wanted = try document.flag("enabled") ?? proxy.isEnabled
    if listen != proxy.listen || upstream != proxy.upstream {
      shut(proxy)
      (proxy.listen, proxy.upstream) = (listen, upstream)
      if let words = try document.text("listen"), !words.isEmpty { proxy.wantedListen = words }
    }
    if wanted, !proxy.isEnabled { try open(proxy) }
    if !wanted, proxy.isEnabled { shut(proxy) }
    return json(proxy.json)
  }

  private func reset() throws(ControlError) -> ControlAnswer {
    for proxy in proxies {
      if !proxy.isEnabled { try open(proxy) }
      proxy.toxics = []
      core.toxicsChanged(proxy)
    }
    return .empty
  }

  private func addToxic(_ json: JSONValue, to proxy: ToxicProxy) throws(ControlError) -> ControlAnswer {
    let toxic = try Toxic(json)
    guard !proxy.toxics.contains(where: { $0.name == toxic.name }) else {
      throw ControlError(409, "toxic already exists")
    }
    proxy.toxics.append(toxic)
    core.toxicsChanged(proxy)
    return self.json(toxic.json)
  }

  private func change(
    toxic name: String, of proxy: ToxicProxy, _ request: ControlRequest, _ isUpdate: Bool
  ) throws(ControlError) -> ControlAnswer {
    guard let index = proxy.toxics.firstIndex(where: { $0.name == name }) else {
      throw ControlError(404, "toxic not found")
    }
    if request.method == "GET" { return json(proxy.toxics[index].json) }
    if request.method == "DELETE" {
      proxy.toxics.remove(at: index)
      core.toxicsChanged(proxy)
      return .empty
    }
    guard isUpdate else { return Self.notAllowed }
    var toxic = proxy.toxics[index]
    try toxic.update(document(request))
    proxy.toxics[index] = toxic
    core.toxicsChanged(proxy)
    return json(toxic.json)
  }

  // MARK: Calls that toxiproxy does not have

  private func own(_ request: ControlRequest) throws(ControlError) -> ControlAnswer {
    let call = request.path.dropFirst().first
    if let call, ["offline", "tunnel", "online"].contains(call), request.body != [], request.body != Array("{}".utf8) {
      throw ControlError(400, "\(call): takes no body; it lasts until offline, tunnel or online is called")
    }
    switch (request.method, call) {
    case ("GET", nil): return json(state)
    case ("GET", "timeline"): return json(timeline)
    case ("POST", "profile"): use(try profile(request))
    case ("POST", "offline"): core.network.setOutage(.refuse)
    case ("POST", "tunnel"): core.network.setOutage(.drop)
    case ("POST", "online"): core.network.setOutage(nil)
    case ("POST", "time-scale"):
      guard let factor = try document(request).number("factor"), (0.001...1000).contains(factor) else {
        throw ControlError(400, "factor: a number from 0.001 to 1000; write for example {\"factor\": 10}")
      }
      host.timeScale = factor
    case ("POST", "seed"):
      guard case .number(let text)? = try document(request)["seed"], let seed = UInt64(text) else {
        throw ControlError(400, "seed: a whole number from 0 to \(UInt64.max); write for example {\"seed\": 42}")
      }
      host.restart(seed: seed)
      for proxy in proxies { proxy.startOver() }
    case (_, nil), (_, "timeline"), (_, "profile"), (_, "offline"), (_, "tunnel"), (_, "online"), (_, "time-scale"),
      (_, "seed"):
      return Self.notAllowed
    default: return Self.notFound
    }
    return json(state)
  }

  /// Replaces the profile, also on the links of the proxies, whose toxics apply on top of it.
  func use(_ profile: NetworkProfile) {
    core.network.use(profile)
    for proxy in proxies { core.toxicsChanged(proxy) }
  }

  /// Reads a profile from a request: a name, `3G` or `{"profile": "3G"}`, or a whole profile file.
  private func profile(_ request: ControlRequest) throws(ControlError) -> NetworkProfile {
    let text = String(decoding: request.body, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    guard let first = text.first else {
      throw ControlError(400, "The request does not name a profile; write for example {\"profile\": \"3G\"}.")
    }
    let json = first == "{" || first == "\"" ? try document(request) : .string(text)
    do {
      if case .string(let name) = json { return try NetworkProfile.named(name) }
      if case .string(let name)? = json["profile"] { return try NetworkProfile.named(name) }
      return try NetworkProfile(json: Data((json["profile"] ?? json).compactText.utf8), file: "request")
    } catch {
      throw ControlError(400, "\(error)")
    }
  }

  private var state: JSONValue {
    [
      "profile": .string(core.network.profile.name), "seed": .integer(core.network.seed),
      "phase": .string(core.network.conditionName),
      "outage": core.network.outage.map { .string($0.rawValue) } ?? .null,
      "time_s": .real(Double(core.network.time.nanoseconds) / 1e9), "time_scale": .real(host.timeScale),
      "connections": .integer(core.clients.count), "proxies": .integer(proxies.count),
    ]
  }

  private var timeline: JSONValue {
    let timeline = core.network.snapshot()
    func seconds(_ time: SimulatedInstant?) -> JSONValue { time.map { .real(Double($0.nanoseconds) / 1e9) } ?? .null }
    let transfers = timeline.transfers.map { transfer -> JSONValue in
      [
        "number": .integer(transfer.number), "method": .string(transfer.method), "url": .string(transfer.shownURL),
        "profile": .string(transfer.profile), "status": transfer.status.map { .integer($0) } ?? .null,
        "outcome": .string(transfer.outcomeWord), "started_s": seconds(transfer.started),
        "connected_s": seconds(transfer.connected), "request_sent_s": seconds(transfer.requestSent),
        "first_byte_s": seconds(transfer.firstByte), "ended_s": seconds(transfer.ended),
        "bytes_up": .integer(transfer.bytesSent), "bytes_down": .integer(transfer.bytesReceived),
        "packets": .integer(transfer.wire.up.packets + transfer.wire.down.packets),
        "lost": .integer(transfer.wire.up.lost + transfer.wire.down.lost),
        "retransmissions": .integer(transfer.retransmissions),
      ]
    }
    return [
      "profile": .string(timeline.profile), "seed": .integer(timeline.seed), "time_s": seconds(timeline.time),
      "transfers": .array(transfers), "dropped": .integer(timeline.droppedTransfers),
    ]
  }
}

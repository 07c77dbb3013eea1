public import Foundation
public import LinkSimulator
public import NetworkConditions
import Internals

/// A proxy that puts any program under a profile's network: HTTP and SOCKS5 on one port, and forwards to single servers.
///
/// ```swift
/// let proxy = try NetworkProxy("tunnel", seed: 42)
/// let configuration = URLSessionConfiguration.ephemeral
/// configuration.connectionProxyDictionary = proxy.connectionProxyDictionary
/// ```
///
/// All connections share the profile's link. Their bytes are timed packet by packet, as a TCP transfer would be, so a
/// lost packet costs time but loses no byte. One thread serves all connections.
public final class NetworkProxy: Sendable {
  private let loop: ProxyLoop

  /// The address on which the proxy listens.
  public let address: SocketAddress

  /// Starts a proxy.
  ///
  /// - Parameters:
  ///   - profile: the profile of the network.
  ///   - seed: decides everything that is left to chance.
  ///   - address: where it listens; by default a free port of the loopback address. Any program that can reach this address
  ///     can use the proxy to reach all that this machine reaches.
  ///   - timeScale: how many times as fast as the clock the network's time passes, from 0.001 to 1000.
  /// - Throws: ``ProxyError`` when the proxy cannot listen on the address.
  public convenience init(
    _ profile: NetworkProfile, seed: UInt64 = 0, listeningOn address: SocketAddress = .loopback(),
    timeScale: Double = 1
  ) throws(ProxyError) {
    try self.init(profile, seed: seed, listeningOn: address, timeScale: timeScale, usesDispatch: false)
  }

  /// Starts a proxy under a profile that is named: a built-in one or a file.
  public convenience init(
    _ name: String, seed: UInt64 = 0, listeningOn address: SocketAddress = .loopback(), timeScale: Double = 1
  ) throws {
    try self.init(NetworkProfile.named(name), seed: seed, listeningOn: address, timeScale: timeScale)
  }

  /// Starts a proxy with the profile and the seed of a network.
  ///
  /// In a test with the trait `.network("3G", seed: 42)`, pass `NetworkUnderTest.network`. Other processes then run
  /// under the trait's profile and its environment variables, if the test waits for them without `await`. The proxy's
  /// own time passes by the clock.
  public convenience init(
    like network: SimulatedNetwork, listeningOn address: SocketAddress = .loopback(), timeScale: Double = 1
  ) throws(ProxyError) {
    try self.init(network.profile, seed: network.seed, listeningOn: address, timeScale: timeScale)
  }

  /// - Parameter usesDispatch: whether Dispatch sources watch the sockets even where the system has epoll.
  package init(
    _ profile: NetworkProfile, seed: UInt64, listeningOn address: SocketAddress, timeScale: Double, usesDispatch: Bool
  ) throws(ProxyError) {
    guard (0.001...1000).contains(timeScale) else {
      throw .wrong("a time scale of \(timeScale) is out of range; write 0.001 to 1000")
    }
    SystemSocket.raiseDescriptorLimit()
    let listener = try Sockets.listen(on: address)
    self.address = SocketAddress(host: address.host, port: Sockets.port(of: listener)) ?? address
    loop = ProxyLoop(profile: profile, seed: seed, timeScale: timeScale, usesDispatch: usesDispatch)
    let opened = self.address
    _ = loop.perform { $0.open(listener, on: opened, .proxy) }
  }

  deinit {
    loop.stop()
  }

  /// Ends all connections and frees the ports; the timeline stays available.
  public func stop() {
    let last = performNow { inside in
      inside.closeAll()
      return inside.core.network.snapshot()
    }
    final.withLock { $0 = $0 ?? last }
    loop.stop()
  }

  private let final = Locked<Timeline?>(nil)

  // MARK: Addresses for clients

  /// The port on which the proxy listens.
  public var port: Int { Int(address.port) }

  /// The proxy's URL for programs with an HTTP proxy setting: `http://127.0.0.1:8080`.
  public var url: URL { URL(string: "http://\(reachable)")! }

  /// The URL of the SOCKS proxy, which resolves names itself: `socks5h://127.0.0.1:8080`.
  public var socksURL: URL { URL(string: "socks5h://\(reachable)")! }

  private var reachable: String {
    ["0.0.0.0", "::"].contains(address.host) ? "127.0.0.1:\(port)" : address.description
  }

  /// The environment variables with which most Unix programs find a proxy.
  public var environment: [String: String] {
    let url = url.absoluteString
    return [
      "http_proxy": url, "https_proxy": url, "HTTP_PROXY": url, "HTTPS_PROXY": url,
      "all_proxy": socksURL.absoluteString,
      "ALL_PROXY": socksURL.absoluteString,
    ]
  }

  /// A value for `URLSessionConfiguration.connectionProxyDictionary` that sends a session's requests through the proxy.
  ///
  /// Foundation on Linux ignores it: start the process with ``environment`` there.
  public var connectionProxyDictionary: [AnyHashable: Any] {
    let host = ["0.0.0.0", "::"].contains(address.host) ? "127.0.0.1" : address.host
    return [
      "HTTPEnable": 1, "HTTPProxy": host, "HTTPPort": port, "HTTPSEnable": 1, "HTTPSProxy": host, "HTTPSPort": port,
    ]
  }

  /// Opens a port that leads to one server, for programs without a proxy setting.
  ///
  /// - Parameters:
  ///   - local: the port to open; 0 is a free one.
  ///   - host: the server's name or address.
  ///   - port: the server's port.
  /// - Returns: the address that was opened.
  @discardableResult
  public func forward(from local: SocketAddress = .loopback(), to host: String, port: UInt16) throws(ProxyError)
    -> SocketAddress
  {
    let target = ProxyRequest.Target(host: host, port: port)
    return try open(on: local) { inside, listener, opened in
      inside.open(listener, on: opened, .forward(target, name: "forward \(opened)", link: nil))
    }
  }

  /// Opens a port for toxiproxy's API, with which clients in any language add servers and toxics and change the profile.
  ///
  /// A request's `Host` must be loopback or an address that was opened here. Web pages are refused. Beyond loopback, a
  /// request may open ports only at addresses that the proxy, a forward, a configuration file or the API already has.
  ///
  /// - Parameter address: where it listens; toxiproxy's own port is 8474.
  @discardableResult
  public func openControl(on address: SocketAddress = .loopback()) throws(ProxyError) -> SocketAddress {
    try open(on: address) { inside, listener, opened in
      inside.core.control = { [unowned inside] in inside.control.answer($0) }
      inside.open(listener, on: opened, .control)
    }
  }

  /// Hands a listening socket to the loop, or closes it if the proxy has been stopped.
  private func open(
    on wanted: SocketAddress, _ body: @escaping @Sendable (ProxyLoop.Inside, Int32, SocketAddress) -> Void
  ) throws(ProxyError) -> SocketAddress {
    let listener = try Sockets.listen(on: wanted)
    let address = SocketAddress(host: wanted.host, port: Sockets.port(of: listener)) ?? wanted
    guard loop.perform({ body($0, listener, address) }) != nil else {
      _ = Foundation.close(listener)
      throw .stopped
    }
    return address
  }

  /// Creates the proxies of a toxiproxy configuration file: a list of objects with name, listen, upstream and enabled.
  ///
  /// - Returns: the addresses of the enabled proxies.
  @discardableResult
  public func populate(_ configuration: Data) throws(ProxyError) -> [SocketAddress] {
    let outcome = loop.perform { inside in
      Result { () throws(ControlError) in try inside.control.populate(configuration) }
    }
    switch outcome {
    case .success(let addresses): return addresses
    case .failure(let error): throw .wrong(error.sentence)
    case nil: throw .stopped
    }
  }

  // MARK: Conditions

  /// The profile that is now in force.
  public var profile: NetworkProfile { loop.perform { $0.core.network.profile } ?? .unlimited }

  /// Replaces the profile from now on, also for connections that are open.
  public func use(_ profile: NetworkProfile) {
    change { $0.control.use(profile) }
  }

  /// Starts an outage, also for connections that are open; ``goOnline()`` ends it.
  public func goOffline(_ outage: PathConditions.Outage = .refuse) {
    change { $0.core.network.setOutage(outage) }
  }

  /// Ends the outage; the profile's phases have continued meanwhile.
  public func goOnline() {
    change { $0.core.network.setOutage(nil) }
  }

  private func change(_ body: @escaping @Sendable (ProxyLoop.Inside) -> Void) {
    _ = performNow { inside in
      body(inside)
      inside.core.settle()
    }
  }

  private func performNow<Value: Sendable>(_ body: @escaping @Sendable (ProxyLoop.Inside) -> Value) -> Value? {
    loop.perform { inside in
      inside.catchUp()
      return body(inside)
    }
  }

  // MARK: Time and timeline

  /// The time in the network, counted from the proxy's start.
  public var now: SimulatedInstant { performNow { $0.core.network.time } ?? timeline.time }

  /// The time in the network, and a word for the phase or outage that is in force.
  package var moment: (time: SimulatedInstant, conditionName: String)? {
    performNow { ($0.core.network.time, $0.core.network.conditionName) }
  }

  /// The record of everything so far; each plain HTTP request and each tunnel is one transfer.
  public var timeline: Timeline {
    performNow { $0.core.network.snapshot() } ?? final.value ?? ProxiedNetwork.emptyTimeline
  }

  /// Calls `tell` on the proxy's own thread with each event that happens from now on.
  public func observe(_ tell: @escaping @Sendable (NetworkEvent) -> Void) {
    _ = loop.perform { inside in
      inside.core.isObserved = true
      inside.observers[inside.core.nextNumber()] = tell
    }
  }

  /// Records each packet's events from now on; the ``timeline`` then contains them.
  public func recordPackets() {
    change { $0.core.network.recordsPackets = true }
  }

  /// Sets which secrets are left out of texts; to be called before there are connections.
  public func redact(by redaction: Redaction) {
    change { $0.core.network.redaction = redaction }
  }

  /// How many clients are connected.
  public var connectionCount: Int { loop.perform { $0.core.clients.count } ?? 0 }
}

extension ProxyLoop.Inside {
  func open(_ listener: Int32, on address: SocketAddress, _ entrance: ProxyConnection.Entrance) {
    listeners[listener] = entrance
    core.ownAddresses[listener] = address
    if case .forward(_, _, link: _?) = entrance {} else { core.guardian.named.append(address) }
    readiness.watch(listener)
  }

  func open(_ proxy: ToxicProxy) throws(ProxyError) {
    let listener = try Sockets.listen(on: proxy.listen)
    proxy.listen = SocketAddress(host: proxy.listen.host, port: Sockets.port(of: listener)) ?? proxy.listen
    proxy.listener = listener
    open(listener, on: proxy.listen, .forward(proxy.upstream, link: proxy))
  }

  func close(_ listener: Int32) {
    listeners[listener] = nil
    core.ownAddresses[listener] = nil
    readiness.close(listener)
  }

  var timeScale: Double {
    get { clock.factor }
    set { clock.setFactor(newValue) }
  }

  func restart(seed: UInt64) {
    core.restart(seed: seed)
    clock = ProxyClock(factor: clock.factor)
  }

  /// Runs the network up to the present, and returns the uptime.
  @discardableResult func catchUp() -> UInt64 {
    core.uptime = DispatchTime.uptime
    core.advance(to: clock.time(at: core.uptime))
    return core.uptime
  }
}

extension NetworkProxy: CustomStringConvertible {
  /// One line with the proxy's address, profile, seed and number of transfers.
  public var description: String {
    let timeline = timeline
    return "\(url), \(timeline.profile), seed \(timeline.seed): "
      + FigureText.count(timeline.transfers.count, "transfer")
  }
}

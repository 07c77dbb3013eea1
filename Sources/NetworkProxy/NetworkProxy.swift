public import Foundation
public import LinkSimulator
public import NetworkConditions
import Internals

/// A proxy through which any program gets a profile's network: HTTP and SOCKS5 on one port, and forwards to single servers.
///
/// ```swift
/// let proxy = try NetworkProxy("tunnel", seed: 42)
/// let configuration = URLSessionConfiguration.ephemeral
/// configuration.connectionProxyDictionary = proxy.connectionProxyDictionary
/// ```
///
/// All connections share the profile's link: their bytes travel as a TCP transfer would, packet by packet, so that a lost packet
/// costs time and never a byte. One thread serves all of them.
public final class NetworkProxy: Sendable {
  private let loop: ProxyLoop

  /// The address that it listens on.
  public let address: SocketAddress

  /// Starts a proxy.
  ///
  /// - Parameters:
  ///   - profile: the network.
  ///   - seed: decides everything that is left to chance.
  ///   - address: where it listens: a free port of the loopback address, unless told otherwise. Whoever reaches the address can
  ///     use the proxy to reach whatever this machine reaches.
  ///   - timeScale: how many times as fast as the clock the network's time passes, from 0.001 to 1000.
  /// - Throws: ``ProxyError`` when the address cannot be listened on.
  public convenience init(
    _ profile: NetworkProfile, seed: UInt64 = 0, listeningOn address: SocketAddress = .loopback(),
    timeScale: Double = 1
  ) throws(ProxyError) {
    try self.init(profile, seed: seed, listeningOn: address, timeScale: timeScale, usesDispatch: false)
  }

  /// Starts a proxy under a profile with this name, in the built-in catalogue or in a file.
  public convenience init(
    _ name: String, seed: UInt64 = 0, listeningOn address: SocketAddress = .loopback(), timeScale: Double = 1
  ) throws {
    try self.init(NetworkProfile.named(name), seed: seed, listeningOn: address, timeScale: timeScale)
  }

  /// Starts a proxy with the profile and the seed of a network.
  ///
  /// In a test with the trait `.network("3G", seed: 42)` it is `NetworkUnderTest.network`: other processes, which the test
  /// waits for without `await`, then travel under what the trait and its environment variables say. The proxy's own time
  /// passes by the clock.
  public convenience init(
    like network: SimulatedNetwork, listeningOn address: SocketAddress = .loopback(), timeScale: Double = 1
  ) throws(ProxyError) {
    try self.init(network.profile, seed: network.seed, listeningOn: address, timeScale: timeScale)
  }

  /// - Parameter usesDispatch: whether Dispatch's sources say which sockets are ready, also where the system has better.
  package init(
    _ profile: NetworkProfile, seed: UInt64, listeningOn address: SocketAddress, timeScale: Double, usesDispatch: Bool
  ) throws(ProxyError) {
    guard (0.001...1000).contains(timeScale) else {
      throw .wrong("a time scale of \(timeScale) makes no sense; it is from 0.001 to 1000")
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

  /// Ends all connections and frees the ports; the timeline stays as it was.
  public func stop() {
    let last = timeline
    final.withLock { $0 = $0 ?? last }
    loop.stop()
  }

  private let final = Locked<Timeline?>(nil)

  // MARK: Addresses for clients

  /// The port that it listens on.
  public var port: Int { Int(address.port) }

  /// The URL by which programs name an HTTP proxy: `http://127.0.0.1:8080`.
  public var url: URL { URL(string: "http://\(reachable)")! }

  /// The URL by which programs name a SOCKS proxy that looks names up itself: `socks5h://127.0.0.1:8080`.
  public var socksURL: URL { URL(string: "socks5h://\(reachable)")! }

  private var reachable: String {
    ["0.0.0.0", "::"].contains(address.host) ? "127.0.0.1:\(port)" : address.description
  }

  /// The environment by which most programs of Unix find a proxy.
  public var environment: [String: String] {
    let url = url.absoluteString
    return [
      "http_proxy": url, "https_proxy": url, "HTTP_PROXY": url, "HTTPS_PROXY": url,
      "all_proxy": socksURL.absoluteString,
      "ALL_PROXY": socksURL.absoluteString,
    ]
  }

  /// A session's dictionary that leads it through the proxy (`URLSessionConfiguration.connectionProxyDictionary`).
  public var connectionProxyDictionary: [AnyHashable: Any] {
    let host = ["0.0.0.0", "::"].contains(address.host) ? "127.0.0.1" : address.host
    return [
      "HTTPEnable": 1, "HTTPProxy": host, "HTTPPort": port, "HTTPSEnable": 1, "HTTPSProxy": host, "HTTPSPort": port,
    ]
  }

  // MARK: Forwards

  /// Opens a port that leads to one server, for programs that know of no proxy.
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
    let listener = try Sockets.listen(on: local)
    let opened = SocketAddress(host: local.host, port: Sockets.port(of: listener)) ?? local
    guard loop.perform({ $0.open(listener, on: opened, .forward(target, name: "forward \(opened)", link: nil)) }) != nil
    else { throw .stopped }
    return opened
  }

  // MARK: Control

  /// Opens a port for toxiproxy's API, by which clients in any language add servers, toxics, and change the profile.
  ///
  /// A request's `Host` has to be loopback, or an address that was opened here. Pages in browsers are refused.
  /// A request opens ports beyond loopback only at addresses that the proxy, a forward, a configuration or the API itself has.
  ///
  /// - Parameter address: where it listens; toxiproxy's own port is 8474.
  @discardableResult
  public func openControl(on address: SocketAddress = .loopback()) throws(ProxyError) -> SocketAddress {
    let listener = try Sockets.listen(on: address)
    let opened = SocketAddress(host: address.host, port: Sockets.port(of: listener)) ?? address
    let isOpen: Bool? = loop.perform { inside in
      inside.core.control = { [unowned inside] in inside.control.answer($0) }
      inside.open(listener, on: opened, .control)
      return true
    }
    guard isOpen != nil else { throw .stopped }
    return opened
  }

  /// Makes the proxies of a configuration file of toxiproxy's: a list of objects with name, listen, upstream and enabled.
  ///
  /// - Returns: where those that are enabled listen.
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

  /// The profile in force.
  public var profile: NetworkProfile { loop.perform { $0.core.network.profile } ?? .unlimited }

  /// Puts another profile in force, from now on; connections that stand feel it at once.
  public func use(_ profile: NetworkProfile) {
    change { $0.core.network.use(profile) }
  }

  /// Takes the network out, for connections that stand, too: ``goOnline()`` brings it back.
  public func goOffline(_ outage: PathConditions.Outage = .refuse) {
    change { $0.core.network.setOutage(outage) }
  }

  /// Brings the network back; the profile's phases have gone on meanwhile.
  public func goOnline() {
    change { $0.core.network.setOutage(nil) }
  }

  /// Lets the network's time pass so many times as fast as the clock, from 0.001 to 1000, from now on.
  public func setTimeScale(_ factor: Double) throws(ProxyError) {
    guard (0.001...1000).contains(factor) else {
      throw .wrong("a time scale of \(factor) makes no sense; it is from 0.001 to 1000")
    }
    change { $0.clock.setFactor(factor) }
  }

  private func change(_ body: @escaping @Sendable (ProxyLoop.Inside) -> Void) {
    _ = loop.perform { inside in
      inside.catchUp()
      body(inside)
      inside.core.settle()
    }
  }

  // MARK: Time and timeline

  /// How late it is in the network, counted from the proxy's start.
  public var now: SimulatedInstant {
    loop.perform { inside in
      inside.catchUp()
      return inside.core.network.time
    } ?? timeline.time
  }

  /// The time in the network, and the phase or outage that is in force then, in a word.
  package var moment: (time: SimulatedInstant, standing: String)? {
    loop.perform { inside in
      inside.catchUp()
      return (inside.core.network.time, inside.core.network.standing)
    }
  }

  /// All that happened so far: each request of plain HTTP, and each tunnel as one transfer.
  public var timeline: Timeline {
    let now = loop.perform { inside in
      inside.catchUp()
      return inside.core.network.snapshot()
    }
    return now ?? final.value ?? ProxiedNetwork.emptyTimeline
  }

  /// Has `tell` told of everything that happens from now on, on the proxy's own thread.
  public func observe(_ tell: @escaping @Sendable (NetworkEvent) -> Void) {
    _ = loop.perform { inside in
      inside.core.isObserved = true
      inside.observers[inside.core.nextNumber()] = tell
    }
  }

  /// Writes down what happens to every packet from now on, for the packets of its timeline.
  public func recordPackets() {
    change { $0.core.network.recordsPackets = true }
  }

  /// Takes secrets out of texts; to be set before there are connections.
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

  func catchUp() {
    let now = DispatchTime.uptime
    core.uptime = now
    core.advance(to: clock.time(at: now))
  }
}

extension NetworkProxy: CustomStringConvertible {
  /// One line: where it listens, its profile, its seed and how many transfers there were.
  public var description: String {
    let timeline = timeline
    return "\(url), \(timeline.profile), seed \(timeline.seed): "
      + FigureText.count(timeline.transfers.count, "transfer")
  }
}

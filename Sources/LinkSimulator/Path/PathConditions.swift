/// The conditions of a whole network at one time: both directions, name resolution, and any outage.
public struct PathConditions: Hashable, Sendable {
  /// The kind of an outage.
  public enum Outage: String, CaseIterable, Hashable, Sendable {
    /// Packets are dropped silently in both directions, as in a tunnel; retransmission timers back off.
    case drop
    /// The system knows that it is offline: new requests fail at once, and open ones lose their connection.
    case refuse
  }

  /// How the network treats UDP packets.
  public enum UDP: Hashable, Sendable {
    /// The network treats UDP like TCP.
    case open
    /// All UDP packets are dropped, as behind many firewalls.
    case blocked
    /// A policer drops UDP above this rate, in each direction; its burst is 1.5 s at the rate, as Cisco recommends.
    case limited(Bandwidth)
  }

  /// The model by which the conditions act on requests.
  public enum Model: String, CaseIterable, Hashable, Sendable {
    /// Every packet passes a link in each direction; TCP, TLS and HTTP react to it.
    case link
    /// Chrome DevTools' throttling: both delays once for each request, and rates shared by all requests.
    ///
    /// It models neither packets nor handshakes, and uses only each direction's delay and rate. Source:
    /// `services/network/throttling/throttling_network_interceptor.cc` and `throttling_network_transaction.cc` of
    /// Chromium.
    case devTools = "devtools"
  }

  /// The model by which the conditions act on requests.
  public var model = Model.link
  /// The link from the server to the client.
  public var down: LinkConditions
  /// The link from the client to the server.
  public var up: LinkConditions
  /// The time that the resolver adds to the round trip of a look-up; a negative one is a precondition failure.
  public var dnsDelay: Duration { didSet { LinkConditions.check(dnsDelay) } }
  /// The kind of the current outage; `nil` when the network works.
  public var outage: Outage?
  /// How the network treats UDP, which carries HTTP/3; name look-ups always pass.
  public var udp = UDP.open
  /// The state of the client's device.
  public var device = DeviceConditions()

  /// A network without rate limits, delays or losses.
  public static let unlimited = PathConditions()

  /// Creates the conditions of a network.
  public init(
    down: LinkConditions = .unlimited, up: LinkConditions = .unlimited, dnsDelay: Duration = .zero,
    outage: Outage? = nil
  ) {
    LinkConditions.check(dnsDelay)
    self.down = down
    self.up = up
    self.dnsDelay = dnsDelay
    self.outage = outage
  }

  /// Whether the change from `before` closes all connections: system offline, other interface, or app suspended.
  func losesConnections(of before: PathConditions) -> Bool {
    outage == .refuse && before.outage != .refuse || device.interface != before.device.interface
      || device.suspendsApp && !before.device.suspendsApp
  }

  /// The link conditions in one direction; unlimited under ``Model/devTools``, which has no links.
  func link(_ direction: Direction) -> LinkConditions {
    model == .link ? self[direction] : .unlimited
  }

  /// The conditions of one direction.
  public subscript(direction: Direction) -> LinkConditions {
    get { direction == .up ? up : down }
    set { if direction == .up { up = newValue } else { down = newValue } }
  }
}

/// A direction of a network, named from the client's point of view.
public enum Direction: String, CaseIterable, Hashable, Sendable {
  /// From the client to the server.
  case up
  /// From the server to the client.
  case down

  @inline(__always)
  var opposite: Direction { self == .up ? .down : .up }
  /// The index of this direction in an array with one element for each direction.
  @inline(__always)
  var index: Int { self == .up ? 0 : 1 }
}

extension Array {
  @inline(__always)
  subscript(direction: Direction) -> Element {
    get { self[direction.index] }
    _modify { yield &self[direction.index] }
  }
}

/// The behaviour of clients and servers on a path, apart from the network conditions between them.
public struct PathConfiguration: Hashable, Sendable {
  /// The congestion control that senders use.
  public var congestionControl: CongestionControl = .cubic
  /// How many connections a client may have to one host under HTTP/1.1, at least 1: six, as in browsers and `URLSession`.
  public var connectionsPerHost = 6 { didSet { connectionsPerHost = max(1, connectionsPerHost) } }
  /// The version of HTTP that servers speak over TLS; without TLS they speak HTTP/1.1.
  public var secureVersion = StreamRequest.HTTPVersion.http2
  /// How clients learn that a server speaks HTTP/3, when ``secureVersion`` is HTTP/3.
  ///
  /// The caller that sends requests applies this, not the path.
  public var http3Announcement = HTTP3Announcement.dns
  /// How many requests may share one HTTP/2 or HTTP/3 connection, at least 1: 100, the minimum that RFC 9113 recommends.
  ///
  /// quic-go has the same default (`DefaultMaxIncomingStreams`). Over HTTP/3 a further request waits until the server
  /// allows another stream (RFC 9000, section 4.6), one round trip longer than over HTTP/2. More than 2^60 are never
  /// allowed there.
  public var streamsPerConnection = 100 {
    didSet { streamsPerConnection = min(max(1, streamsPerConnection), 1 << 60) }
  }
  /// How long a client keeps an idle connection, unless it learns earlier that the server has closed it.
  public var keepAlive: Duration = .seconds(60)
  /// The size in bytes of a server's certificate message; the default is that of a usual chain of two.
  public var certificates: Int64 = 3_114
  /// The total time that both ends compute during a TLS handshake.
  public var handshakeComputing: Duration = .zero
  /// How long a server keeps an idle connection before it closes it with a packet; `nil` for ever.
  ///
  /// A request sent while the close is under way is lost. Usual values are 5 s (Node.js, `keepAliveTimeout`), 60 s (AWS
  /// load balancers, "idle timeout") and 75 s (nginx, `keepalive_timeout`).
  public var serverKeepAlive: Duration?
  /// How long a middlebox remembers a connection without packets before it drops them silently; `nil` for ever.
  ///
  /// RFC 5382 (REQ-5) asks address translators for at least 2 h 4 min; carriers use minutes. An HTTP/3 client's later
  /// packets get another port, but the server still answers to the old one.
  public var natTimeout: Duration?
  /// The requests that the client's HTTP library repeats by itself when a kept-alive connection turns out dead.
  ///
  /// The caller that sends requests repeats them, not the path.
  public var repeats = Repeats.platform

  /// The size of an HTTP/3 client's send buffer for a request; `nil` hands over the whole request at once.
  ///
  /// curl 8 has 64 KiB, which limits what it sends in a round trip.
  package var uploadBuffer: Int64?

  /// Whether HTTP/3 servers validate a client's address by a Retry, which costs a round trip (RFC 9000, 8.1.2).
  ///
  /// A client with a token from an earlier connection skips this (section 8.1.3).
  public var validatesAddresses = false

  /// Whether HTTP/3 clients resume an earlier session with a host (RFC 8446, section 2.2).
  ///
  /// The server then sends no certificates. Resumption saves no round trip here.
  public var resumesSessions = false

  /// Which ends of an HTTP/3 connection continue it when the client's address changes.
  public var migration = Migration.none

  /// Whether HTTP/3 clients race TCP against QUIC, and fall back to HTTP/2 when QUIC is slow or blocked.
  package var racesQuic = true

  /// The order in which an HTTP/2 server sends responses that are ready at the same time.
  ///
  /// HTTP/3 servers always take turns packet by packet (quic-go, `framer.go`), and follow priorities only under
  /// ``Scheduling/fair``.
  public var scheduling = Scheduling.buffered

  /// Creates the default configuration, which matches what most users of `URLSession` see.
  public init() {}

  /// How an HTTP/2 server divides a connection among responses that are ready.
  public enum Scheduling: String, CaseIterable, Hashable, Sendable {
    /// As nginx 1.22, without priorities: the server queues up to 64 KiB of one response, then of the next one.
    ///
    /// The limit is `output_buffers`. The bytes wait in this queue until the kernel's send buffer has room.
    case buffered
    /// One frame of 8 KiB from each response in turn, built when TCP can send it; heeds ``StreamRequest/priority``.
    case fair
  }

  /// How a client learns that a server speaks HTTP/3.
  public enum HTTP3Announcement: String, CaseIterable, Hashable, Sendable {
    /// Through the server's HTTPS record in DNS (RFC 9460): known before the first request.
    case dns = "DNS"
    /// Through the header field `Alt-Svc` of a response (RFC 7838): earlier requests use HTTP/2.
    case answers = "Alt-Svc"
  }

  /// Which ends of an HTTP/3 connection continue it after a change of the client's address (RFC 9000, section 9).
  public enum Migration: String, CaseIterable, Hashable, Sendable {
    /// Neither end: the server answers to the old address until the connection times out.
    ///
    /// So does quic-go 0.29, as in Caddy 2.6. A client that changes its interface opens a new connection.
    case none
    /// The server follows when an address translator gives the client another port (RFC 9000, section 9.3).
    case server
    /// The server follows, and the client also continues over another interface (RFC 9000, section 9.2).
    case both
  }

  /// Which requests an HTTP library repeats without telling its user, after a kept-alive connection turned out dead.
  ///
  /// It repeats them only before any byte of a response has arrived.
  public enum Repeats: String, CaseIterable, Hashable, Sendable {
    /// No request: each fails with a lost connection.
    case none
    /// Requests with idempotent methods (RFC 9110, section 9.2.2), as Apple's URL loading system (QA1941).
    case idempotent
    /// Requests without a body, whatever their method; a request with a body hangs until the client's time limit.
    ///
    /// This is Foundation on Linux (Swift 6.3.1), tried against servers that close and that reset. libcurl repeats the
    /// request up to five times (`Curl_retry_request`), but Foundation does not supply the body again.
    case bodiless
  }
}

/// The conditions of a whole network at one time: both directions, name resolution, and whether it is out.
public struct PathConditions: Hashable, Sendable {
  /// How a network is out.
  public enum Outage: String, CaseIterable, Hashable, Sendable {
    /// Packets vanish in both directions, and nobody is told: retransmission timers back off, as in a tunnel.
    case drop
    /// The system knows that it is offline: new requests fail at once, and open ones lose their connection.
    case refuse
  }

  /// What becomes of UDP.
  public enum UDP: Hashable, Sendable {
    /// It passes as TCP does.
    case open
    /// None passes, as behind many firewalls.
    case blocked
    /// No more than this passes in each direction, and what is too much is dropped; up to a second and a half of it may pass in
    /// one burst, which is what Cisco recommends for such a limit.
    case limited(Bandwidth)
  }

  /// How the conditions act on requests.
  public enum Model: String, CaseIterable, Hashable, Sendable {
    /// Every packet passes two links, with all that TCP, TLS and HTTP make of that.
    case link
    /// As the throttling of Chrome's DevTools does it: both delays together once for each request, rates shared by all
    /// requests, neither packets nor handshakes.
    ///
    /// Facts: `services/network/throttling/throttling_network_interceptor.cc` and `throttling_network_transaction.cc` of
    /// Chromium. Of both directions it takes delay and rate alone.
    case devTools = "devtools"
  }

  /// How the conditions act on requests.
  public var model = Model.link
  /// From the server to the client.
  public var down: LinkConditions
  /// From the client to the server.
  public var up: LinkConditions
  /// The time that the resolver adds to the round trip of a look-up, never negative: that is a precondition.
  public var dnsDelay: Duration { didSet { LinkConditions.check(dnsDelay) } }
  /// How the network is out, or `nil` when it is not.
  public var outage: Outage?
  /// What becomes of UDP, over which HTTP/3 goes; look-ups of names always pass.
  public var udp = UDP.open
  /// The state of the client's device.
  public var device = DeviceConditions()

  /// A network without a limit, a delay or a loss.
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

  /// Whether connections that stand under other conditions are lost when these follow: the system goes offline, the device
  /// gets another address, or its app is suspended.
  func losesConnections(of before: PathConditions) -> Bool {
    outage == .refuse && before.outage != .refuse || device.interface != before.device.interface
      || device.suspendsApp && !before.device.suspendsApp
  }

  /// The conditions of the link that packets pass in one direction: none under ``Model/devTools``.
  func link(_ direction: Direction) -> LinkConditions {
    model == .link ? self[direction] : .unlimited
  }

  /// The conditions of one direction.
  public subscript(direction: Direction) -> LinkConditions {
    get { direction == .up ? up : down }
    set { if direction == .up { up = newValue } else { down = newValue } }
  }
}

/// One of the two directions of a network, as the client sees it.
public enum Direction: String, CaseIterable, Hashable, Sendable {
  /// From the client to the server.
  case up
  /// From the server to the client.
  case down
}

extension Direction {
  @inline(__always)
  var opposite: Direction { self == .up ? .down : .up }
  /// The place of what belongs to it where there is one thing for each direction.
  @inline(__always)
  var index: Int { self == .up ? 0 : 1 }
}

extension Array {
  /// The element of a direction, in an array that has one for each.
  @inline(__always)
  subscript(direction: Direction) -> Element {
    get { self[direction.index] }
    _modify { yield &self[direction.index] }
  }
}

/// The behaviour of the two ends of a path, apart from the conditions between them.
public struct PathConfiguration: Hashable, Sendable {
  /// How senders react to loss.
  public var congestionControl: CongestionControl = .cubic
  /// How many connections one host may have under HTTP/1.1: six, as in every browser and in `URLSession`.
  public var connectionsPerHost = 6
  /// The version of HTTP that servers speak over TLS; in clear text it is 1.1.
  public var secureVersion = StreamRequest.HTTPVersion.http2
  /// How clients learn that a server speaks HTTP/3, where ``secureVersion`` is that.
  ///
  /// A path does not heed it: whoever sends requests over it does.
  public var http3Announcement = HTTP3Announcement.dns
  /// How many requests may share one connection of HTTP/2 or HTTP/3: 100, the value RFC 9113 recommends at least.
  ///
  /// quic-go has it, too (`DefaultMaxIncomingStreams`). Over HTTP/3 a request beyond it waits until the server says that it has
  /// done with one (RFC 9000, section 4.6), a round trip longer than over HTTP/2.
  public var streamsPerConnection = 100
  /// How long a client keeps an idle connection, unless it learns before that the server has closed it.
  public var keepAlive: Duration = .seconds(60)
  /// How many bytes the certificates of a server have with what TLS adds to each: those of a usual chain of two.
  public var certificates: Int64 = 3_114
  /// How long the ends of a connection compute during a TLS handshake, in all.
  public var handshakeComputing: Duration = .zero
  /// How long a server keeps an idle connection before it closes it, which its client learns from a packet; `nil` for ever.
  ///
  /// A request that sets out while the close is under way meets nobody. Servers have 5 s (Node.js, `keepAliveTimeout`), 60 s
  /// (AWS load balancers, "idle timeout") or 75 s (nginx, `keepalive_timeout`).
  public var serverKeepAlive: Duration?
  /// After how long without a packet a middlebox forgets a connection, and drops in silence what comes of it; `nil` for never.
  ///
  /// RFC 5382 (REQ-5) asks address translators for 2 h 4 min at least; carriers' have minutes. What a client of HTTP/3 sends
  /// after that gets another port, and its server answers the old one.
  public var natTimeout: Duration?
  /// The requests that the client's HTTP library sends again by itself when a kept connection turns out dead.
  ///
  /// A path does not do it: whoever sends requests over it does.
  public var repeats = Repeats.platform

  /// How many bytes of a request HTTP/3's client hands over at once, when few of those before are not acknowledged; `nil`
  /// for all of them at the beginning.
  ///
  /// curl 8 hands over 64 KiB, and so sends not much more in a round trip.
  package var uploadBuffer: Int64?

  /// Whether servers of HTTP/3 check a client's address first by a Retry, which costs a round trip (RFC 9000, section 8.1.2).
  ///
  /// A client that has a token of an earlier connection is not asked (section 8.1.3).
  public var validatesAddresses = false

  /// Whether a client of HTTP/3 resumes its earlier session with a host (RFC 8446, section 2.2).
  ///
  /// The server then sends no certificates. No round trip is saved.
  public var resumesSessions = false

  /// Which ends of a connection of HTTP/3 go on when its client's address changes.
  public var migration = Migration.none

  /// Whether clients of HTTP/3 try TCP beside QUIC where that is slow or not to be had, and go on by HTTP/2.
  package var racesQuic = true

  /// The order in which a server of HTTP/2 sends the responses that it has ready at once.
  ///
  /// One of HTTP/3 sends a packet of each in turn (quic-go, `framer.go`), and heeds priorities under ``Scheduling/fair``.
  public var scheduling = Scheduling.buffered

  /// Creates the configuration that URLSession's users see most.
  public init() {}
}

extension PathConfiguration {
  /// How an HTTP/2 server shares a connection among the responses that it has ready.
  public enum Scheduling: String, CaseIterable, Hashable, Sendable {
    /// As nginx 1.22 does without priorities: up to 64 KiB of a response stand in its queue (`output_buffers`) before the
    /// next has its turn, behind what the kernel's send buffer holds.
    case buffered
    /// A frame of 8 KiB of each in turn, made when TCP can send it: the ideal of a server that shares finely. It heeds
    /// priorities (``StreamRequest/priority``).
    case fair
  }

  /// How a client learns that a server speaks HTTP/3.
  public enum HTTP3Announcement: String, CaseIterable, Hashable, Sendable {
    /// By the server's HTTPS record (RFC 9460): before the first request.
    case dns = "DNS"
    /// By the header field `Alt-Svc` of an answer (RFC 7838): its requests go by HTTP/2 before.
    case answers = "Alt-Svc"
  }

  /// Which ends of a connection of HTTP/3 go on when its client's address changes (RFC 9000, section 9).
  public enum Migration: String, CaseIterable, Hashable, Sendable {
    /// Neither: a server answers the old address, and the connection dies of silence (quic-go 0.29, as in Caddy 2.6); a client
    /// that gets another interface begins anew.
    case none
    /// The server follows a client that an address translator gives another port (RFC 9000, section 9.3).
    case server
    /// The client goes on over another interface as well (RFC 9000, section 9.2).
    case both
  }

  /// The requests that an HTTP library sends again, without a word to its user, when the kept connection that they went out
  /// on turns out dead before anything of a response has come.
  public enum Repeats: String, CaseIterable, Hashable, Sendable {
    /// None: they fail with a lost connection.
    case none
    /// Those of idempotent methods (RFC 9110, section 9.2.2): Apple's URL loading system, as its Technical Q&A QA1941 says.
    case idempotent
    /// Those without a body, whatever their method; what has a body hangs until its client's time limit.
    ///
    /// So does Foundation on Linux, as tried against a server that closes and one that resets (Swift 6.3.1): libcurl sends the
    /// request again (`Curl_retry_request`, five times at most), and Foundation gives it no body a second time.
    case bodiless
  }
}

import LinkSimulator
import NetworkConditions

final class ProxyConnection {
  /// The purpose of the client's socket, given by the listening socket on which it was accepted.
  enum Entrance {
    /// HTTP's and SOCKS's requests.
    case proxy
    /// A connection to one server, on the link of a toxiproxy's proxy where `link` says whose, whose name is shown.
    case forward(ProxyRequest.Target, name: String = "forward", link: ToxicProxy?)
    case control
  }

  enum Stage {
    /// It has yet to say what it wants: a request's head, or a greeting of SOCKS.
    case asking
    case socksRequest
    case connecting
    case carrying
    /// The last bytes are sent to it, and then its connection is closed.
    case leaving
    case gone
  }

  /// How the client learns what has become of its connection.
  enum Manner {
    case connect
    case socks
    case http
    /// Not at all: it has a connection and believes it to be the server's.
    case forward
  }

  let number: Int
  let entrance: Entrance
  let client: Int32
  var stage = Stage.asking
  var manner = Manner.http
  /// The bytes that the client has sent and the proxy has not parsed yet.
  var input: [UInt8] = []
  var up = ByteQueue()
  var down = ByteQueue()
  /// Whether there may be something to read or room to write: the system says so once.
  var clientReady: ReadinessChange = [.writing]
  var serverReady: ReadinessChange = []
  /// Whether the client, and the server, say no more.
  var clientEnded = false
  var serverEnded = false
  /// Whether that has arrived at the other side, and whether it was passed on.
  var upEnded = false
  var downEnded = false
  var upClosed = false
  var downClosed = false

  // MARK: The way to the server

  /// The connection in the simulated network; `nil` while there is none.
  var link: Int?
  var path = 0
  var isLinked = false
  var early: [[UInt8]] = []
  var earlyCount = 0
  var saysNoMore = false
  var server: Int32 = -1
  var serverFailure: ConnectFailure?
  var isConnecting = false
  var target = ProxyRequest.Target(host: "", port: 0)

  // MARK: The exchange under way

  var exchange: Int?
  /// Whether the proxy passes on all bytes unread.
  var isTunnel = false
  var method = ""
  /// Whether the request is of HTTP/1.0, and whether it asks for another protocol.
  var isOld = false
  var upgrades = false
  var closes = false
  var requestBody = HTTPBodyReader(.none)
  var answerBody: HTTPBodyReader?
  var answerInput: [UInt8] = []
  var isAnswered = false
  var hasSpoken = false
  var isRequestEndTold = false
  var hasAnswered = false
  /// Why the server's answer is not understood.
  var misunderstanding: HTTPError?
  /// Which byte of the answer is flipped, and how many have come.
  var flipped: Int64?
  var answerCount: Int64 = 0
  var idleLimit: Duration?
  var heardByServer: Int64 = 0
  var ownAnswer: OwnAnswer?
  /// Whether the server refuses the TLS handshake, once it is asked for one.
  var failsHandshake = false
  /// Counts the exchanges, so that what was put off finds out that it is too late.
  var turn = 0
  /// When the proxy waits no longer, in real time of the loop.
  var deadline: UInt64?
  /// Whether it waits to be looked at again.
  var isPending = false
  /// The toxics that strike it, and what they do beside the link; `nil` where they do nothing.
  var toxics: [Toxic] = []
  var chance = KeyedRandom(seed: 0)
  var effects: [Direction: ToxicEffects] = [:]

  init(number: Int, client: Int32, entrance: Entrance) {
    self.number = number
    self.client = client
    self.entrance = entrance
  }

  var isGone: Bool { stage == .gone }

  func beginExchange() {
    turn += 1
    answerBody = nil
    answerInput = []
    isAnswered = false
    hasSpoken = false
    isRequestEndTold = false
    hasAnswered = false
    misunderstanding = nil
    flipped = nil
    answerCount = 0
    idleLimit = nil
    ownAnswer = nil
    failsHandshake = false
    deadline = nil
  }
}

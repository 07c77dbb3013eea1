import LinkSimulator
import NetworkConditions

final class ProxyConnection {
  /// What a client's connection is for, given by the listening socket that accepted it.
  enum Entrance {
    /// HTTP and SOCKS requests.
    case proxy
    /// A connection to one server; `link` is the proxy of toxiproxy's API, if any; `name` is shown in the timeline.
    case forward(ProxyRequest.Target, name: String = "forward", link: ToxicProxy?)
    case control
  }

  enum Stage {
    /// The proxy is waiting for a request's head or a SOCKS greeting.
    case asking
    case socksRequest
    case connecting
    case carrying
    /// The proxy is sending the client the last bytes, and then closes the connection.
    case leaving
    case gone
  }

  /// The form in which the proxy tells its client whether the connection to the server was made.
  enum Manner {
    case connect
    case socks
    case http
    /// The proxy sends no reply: the client believes that it is connected to the server itself.
    case forward
  }

  /// The client's socket, or the server's.
  struct Peer {
    /// The socket's descriptor; -1 while there is none.
    var socket: Int32 = -1
    /// Whether the socket may be readable or writable: the system reports each change once.
    var isReady: ReadinessChange = []
    /// Whether the other side has sent the end of its stream.
    var hasEnded = false
  }

  enum Attempt {
    /// There is no attempt, or it has succeeded.
    case none
    /// An attempt is under way; the system reports its result with this token.
    case underWay(Int)
    case failed(ConnectFailure)
  }

  /// The bytes that one side sends to the other, and the end of its stream.
  struct Passage {
    var bytes = ByteQueue()
    /// Whether the end of the stream has arrived at the other side, and whether it was passed on.
    var hasEnded = false
    var isClosed = false
  }

  struct Link {
    var number: Int?
    var path = 0
    var isOpen = false
    /// What the client sent before the connection was established, and whether its stream has ended.
    var early: [[UInt8]] = []
    var isLast = false
  }

  /// A request with its answer, or all bytes that a tunnel carries.
  struct Exchange {
    /// The exchange's number in the network; `nil` once it has ended there.
    var number: Int?
    var method = ""
    /// Whether the request is HTTP/1.0, and whether it asks for a protocol upgrade.
    var isOld = false
    var upgrades = false
    var closes = false
    /// Whether a fault still delays the request; meanwhile the client's bytes wait.
    var isPutOff = false
    var requestBody = HTTPBodyReader(.none)
    /// Whether the whole request was sent.
    var hasSpoken = false
    /// The bytes of an answer's head that is not complete.
    var answerInput: [UInt8] = []
    /// Whether an answer has begun, and whether it has ended.
    var hasAnswered = false
    var isAnswered = false
    /// The reader of the answer's body; `nil` until the head is complete.
    var answerBody: HTTPBodyReader?
    /// How many bytes the server has sent through a tunnel, and which byte of the answer a fault flips.
    var answerCount: Int64 = 0
    var flipped: Int64?
    /// The error if the server's answer cannot be parsed.
    var misunderstanding: HTTPError?
    /// How long the connection may be idle after this exchange before a fault closes it.
    var idleLimit: Duration?
    /// The answer that the profile gives in the server's place.
    var ownAnswer: OwnAnswer?
    /// Whether the server refuses the TLS handshake once the client begins it.
    var failsHandshake = false
  }

  let number: Int
  let entrance: Entrance
  var stage = Stage.asking
  var manner = Manner.http
  var client: Peer
  var server = Peer()
  var attempt = Attempt.none
  var target = ProxyRequest.Target(host: "", port: 0)
  /// The bytes that the client has sent and the proxy has not parsed yet.
  var input: [UInt8] = []
  var up = Passage()
  var down = Passage()
  /// How many bytes have arrived at the server on this connection.
  var receivedByServer: Int64 = 0
  var link = Link()
  var exchange = Exchange()
  /// Counts the exchanges, so that delayed work can tell whether its exchange is over.
  var exchangeCount = 0
  /// Whether the connection is a tunnel: the proxy passes on all bytes without parsing them.
  var isTunnel = false
  /// When the proxy gives up waiting, in nanoseconds of the system's uptime.
  var deadline: UInt64?
  /// Whether the connection is queued for another turn.
  var isPending = false
  var toxics = ConnectionToxics()

  init(number: Int, client: Int32, entrance: Entrance) {
    self.number = number
    self.client = Peer(socket: client, isReady: [.writing])
    self.entrance = entrance
  }

  var isGone: Bool { stage == .gone }

  func beginExchange() {
    exchangeCount += 1
    exchange = Exchange()
    deadline = nil
  }
}

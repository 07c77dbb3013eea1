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

  /// The client's socket, or the server's.
  struct Peer {
    /// `-1` while there is none.
    var socket: Int32 = -1
    /// Whether there may be something to read or room to write: the system says so once.
    var isReady: ReadinessChange = []
    /// Whether it says no more.
    var hasEnded = false
  }

  /// The attempt to connect to the server.
  enum Attempt {
    /// There is none, or it has succeeded.
    case none
    /// The number by which the system tells its result.
    case underWay(Int)
    case failed(ConnectFailure)
  }

  /// What one side says, on its way to the other.
  struct Passage {
    var bytes = ByteQueue()
    /// Whether the end has arrived at the other side, and whether it was passed on.
    var hasEnded = false
    var isClosed = false
  }

  /// The connection in the simulated network.
  struct Link {
    /// `nil` while there is none.
    var number: Int?
    var path = 0
    /// Whether it is established.
    var isOpen = false
    /// What the client has said before, piece by piece, and whether it says no more.
    var early: [[UInt8]] = []
    var isLast = false
  }

  /// A request and its answer, or what a tunnel carries.
  struct Exchange {
    /// Its number in the network, until it is over there.
    var number: Int?
    var method = ""
    /// Whether the request is of HTTP/1.0, and whether it asks for another protocol.
    var isOld = false
    var upgrades = false
    /// Whether the connection ends with it.
    var closes = false
    var requestBody = HTTPBodyReader(.none)
    /// Whether the whole request has been sent, and whether the network was told.
    var hasSpoken = false
    var isRequestEndTold = false
    /// Bytes of a head that is not whole.
    var answerInput: [UInt8] = []
    /// Whether an answer has begun, and whether it is over.
    var hasAnswered = false
    var isAnswered = false
    /// `nil` until the answer's head is whole.
    var answerBody: HTTPBodyReader?
    /// How many bytes of a tunnel the server has sent, and which of them, or of an answer, is flipped.
    var answerCount: Int64 = 0
    var flipped: Int64?
    /// Why the server's answer is not understood.
    var misunderstanding: HTTPError?
    /// How long the connection may be idle afterwards.
    var idleLimit: Duration?
    /// The answer that is given in the server's place.
    var ownAnswer: OwnAnswer?
    /// Whether the server refuses the TLS handshake, once it is asked for one.
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
  /// How many bytes have arrived at the server.
  var heardByServer: Int64 = 0
  var link = Link()
  var exchange = Exchange()
  /// Counts the exchanges, so that what was put off finds out that it is too late.
  var exchangeCount = 0
  /// Whether the proxy passes on all bytes unread.
  var isTunnel = false
  /// When the proxy waits no longer, in real time of the loop.
  var deadline: UInt64?
  /// Whether it waits to be looked at again.
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

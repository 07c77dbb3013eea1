/// A TCP connection between the client and a server, with what travels on it.
struct Connection: Sendable {
  /// A TLS record has 16 KiB at most, and so has an HTTP/2 frame unless both sides agree on more (RFC 9113, 4.2).
  static let frameSize: Int64 = 16_384
  /// Head, content type and tag of a TLS 1.3 record (RFC 8446, section 5.2).
  static let recordOverhead: Int32 = 22
  /// The head of an HTTP/2 frame (RFC 9113, section 4.1).
  static let frameOverhead: Int32 = 9
  /// A ClientHello with the extensions that clients send today, and its record head.
  static let clientHello: Int64 = 517
  /// ServerHello, EncryptedExtensions, a chain of two certificates, CertificateVerify, Finished.
  static let serverFlight: Int64 = 3_500
  /// The client's ChangeCipherSpec and Finished.
  static let finished: Int64 = 74
  /// HTTP/2's preface, SETTINGS and WINDOW_UPDATE (RFC 9113, section 3.4).
  static let preface: Int64 = 64
  /// A TLS alert record; an RST_STREAM frame with its head.
  static let alert: Int64 = 24
  static let streamReset: Int64 = 13

  var client: Endpoint
  var server: Endpoint
  var up = Conveyor()
  var down = Conveyor()
  let pool: Int32
  let number: Int
  let isSecure: Bool
  let isMultiplexed: Bool
  /// Whether the request that opened it shares it with no other.
  let isPrivate: Bool
  /// The request that is served, or was served last where many are; -1 for none.
  var stream: Int32 = -1
  /// How many requests are on it.
  var load = 0
  /// Whether requests may travel.
  var isReady = false
  /// Whether it is closed; what is still in the network is of no consequence.
  var isClosed = false
  /// Whether the place in the table is taken.
  var isInUse = true
  /// When the timer of this connection is set for; `.max` when it is not.
  var armedAt = Int64.max
  var idleSince: Int64 = 0
  /// For how long at most the server keeps it idle; `.max` without a limit.
  var idleLimit = Int64.max
  /// When the server closes it, unless a request has come by then; `.max` when it does not.
  var closesAt = Int64.max
  /// Whether the server has closed its end.
  var serverHasClosed = false
  var isRefused = false
  var isUnreachable = false
  var failsHandshake = false

  /// Whether bytes travel in frames, made as they can be sent.
  @inline(__always)
  var isFramed: Bool { isSecure || isMultiplexed }
  /// What a frame adds to its payload.
  var framing: Int32 { (isSecure ? Self.recordOverhead : 0) + (isMultiplexed ? Self.frameOverhead : 0) }
  /// When a timer of one of the ends runs out.
  @inline(__always)
  var deadline: Int64 { min(client.deadline, server.deadline) }
}

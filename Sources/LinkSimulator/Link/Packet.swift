/// One packet on a link.
///
/// Segments are numbered whole, not by bytes: a retransmitted segment keeps its boundaries or includes whole others. So
/// segment numbers replace sequence numbers, and a scoreboard is a plain ring.
struct Packet: Sendable {
  enum Kind: UInt8 {
    /// TCP data, or a pure acknowledgement.
    case segment
    /// TCP SYN.
    case synchronise
    /// TCP SYN-ACK.
    case synchroniseAcknowledge
    /// TCP RST, or QUIC CONNECTION_CLOSE.
    case reset
    /// A QUIC datagram after the handshake.
    ///
    /// `segment` is its packet number, `pushes` asks for an acknowledgement, and `echo` is its acknowledgement's delay.
    case datagram
    /// A QUIC datagram of the handshake; `stamp` is its index in the sender's list of them.
    case handshake
    /// A DNS question.
    case query
    /// A DNS answer.
    case answer
  }

  /// Header bytes: IP (20), TCP (20), and the timestamps option with padding (12).
  static let headerSize = 52
  /// Bytes of a SYN or SYN-ACK, which adds the options maximum segment size, window scale and SACK-permitted.
  static let synchroniseSize = 60
  /// The largest payload of a segment: an MTU of 1500 less the headers.
  static let maximumPayload = 1448

  var kind: Kind
  /// Whether the payload ends where the application's writes end so far (PSH).
  var pushes = false
  /// The index of the connection or name look-up to which the packet belongs.
  var owner: Int32
  /// The number of the flow whose random source decides the packet's fate.
  var flow: Int32
  /// The packet's size in bytes, with IP and TCP or UDP headers.
  var size: Int32
  /// Bytes of payload; 0 for a pure acknowledgement.
  var length: Int32 = 0
  /// The number of the packet's segment in its direction of the connection.
  var segment = 0
  /// The direction's byte count up to the end of this segment.
  var end: Int64 = 0
  /// The cumulative acknowledgement: the segment that this packet's sender expects next.
  var acknowledged = 0
  /// In TCP the byte limit that the receive window allows; in QUIC the number of flow-control offers made so far.
  var windowEdge: Int64 = 0
  /// When the packet was sent: the timestamps option's TSval.
  var stamp: Int64 = 0
  /// The echoed timestamp (TSecr); negative when there is none.
  var echo: Int64 = -1
  /// The SACK blocks: which segments have arrived out of order.
  var blocks = SelectiveBlocks()

  /// The number of the segment after the packet's last one.
  @inline(__always)
  var segmentsEnd: Int { segment + 1 + Int(blocks.joined) }
}

/// The blocks of a SACK option, newest first; at most three beside timestamps (RFC 2018, section 3).
struct SelectiveBlocks: Sendable {
  /// A range of segments from `start` up to, but not including, `end`.
  struct Block: Hashable, Sendable {
    var start = 0
    var end = 0
  }

  private(set) var count: Int8 = 0
  /// Whether the first block reports a duplicate (D-SACK, RFC 2883).
  var firstIsDuplicate = false
  /// How many further segments the packet includes after joining; stored here since few packets need it.
  var joined: Int16 = 0
  /// The segment to which the blocks' offsets are relative, which keeps a packet small.
  private var base = 0
  private var first: (start: Int32, length: Int32) = (0, 0)
  private var second: (start: Int32, length: Int32) = (0, 0)
  private var third: (start: Int32, length: Int32) = (0, 0)

  subscript(index: Int) -> Block {
    let (start, length) = index == 0 ? first : index == 1 ? second : third
    return Block(start: base + Int(start), end: base + Int(start) + Int(length))
  }

  /// Appends a block, unless there are three.
  mutating func append(_ block: Block) {
    if count == 0 { base = block.start }
    let entry = (Int32(clamping: block.start - base), Int32(clamping: block.end - block.start))
    switch count {
    case 0: first = entry
    case 1: second = entry
    case 2: third = entry
    default: return
    }
    count += 1
  }

  static let most = 3

  /// The bytes of the option in a packet: two of padding, two of header, eight for each block.
  var size: Int { Self.size(of: Int(count)) }
  static func size(of count: Int) -> Int { count == 0 ? 0 : 4 + 8 * count }
}

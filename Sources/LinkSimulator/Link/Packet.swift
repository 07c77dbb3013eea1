/// One packet on its way over a link.
///
/// Segments are counted in whole segments, not in bytes: a segment keeps its boundaries when it is sent again, or takes
/// whole ones in, so its number says as much as its sequence numbers would, and a scoreboard becomes a plain ring.
struct Packet: Sendable {
  /// The purpose of a packet.
  enum Kind: UInt8 {
    /// TCP data, or an acknowledgement alone.
    case segment
    /// TCP SYN.
    case synchronise
    /// TCP SYN-ACK.
    case synchroniseAcknowledge
    /// TCP RST; of QUIC a CONNECTION_CLOSE.
    case reset
    /// QUIC, whatever its packets hold: `segment` is then the packet's number, `pushes` asks for an acknowledgement, and `echo` is
    /// how long the acknowledgement that it carries was put off.
    case datagram
    /// QUIC during the handshake: `stamp` is the datagram's place among those that its sender keeps.
    case handshake
    /// A question to the resolver.
    case query
    /// The resolver's answer.
    case answer
  }

  /// IP (20), TCP (20) and the timestamps option with its padding (12).
  static let headerSize = 52
  /// SYN and SYN-ACK carry the maximum segment size, window scale and SACK-permitted options as well.
  static let synchroniseSize = 60
  /// The greatest payload of a segment: an MTU of 1500 less the headers.
  static let maximumPayload = 1448

  var kind: Kind
  /// Whether the payload's end is the end of what the application has written (PSH).
  var pushes = false
  /// The connection, or the name look-up, that the packet belongs to.
  var owner: Int32
  /// The stream of chance that decides the packet's fate.
  var flow: Int32
  /// Bytes on the wire, with IP and TCP or UDP headers.
  var size: Int32
  /// Bytes of payload; 0 for an acknowledgement alone.
  var length: Int32 = 0
  /// The number of the segment within its direction of the connection.
  var segment = 0
  /// The number of bytes of the direction up to the end of this segment.
  var end: Int64 = 0
  /// The number of the segment that the sender of this packet expects next.
  var acknowledged = 0
  /// How many bytes in all the sender of this packet is ready to receive; of QUIC, how many offers of that kind it has made.
  var windowEdge: Int64 = 0
  /// When the packet was sent (the timestamps option's TSval).
  var stamp: Int64 = 0
  /// The timestamp that the packet echoes (TSecr); negative when there is none.
  var echo: Int64 = -1
  /// Which segments have arrived out of order.
  var blocks = SelectiveBlocks()

  /// The segment after the last one that the packet holds.
  @inline(__always)
  var segmentsEnd: Int { segment + 1 + Int(blocks.joined) }
}

/// The blocks of a SACK option, at most three beside timestamps (RFC 2018, section 3), the newest first.
struct SelectiveBlocks: Sendable {
  /// A run of segments: from `start` up to, not including, `end`.
  struct Block: Hashable, Sendable {
    var start = 0
    var end = 0
  }

  /// How many blocks there are.
  private(set) var count: Int8 = 0
  /// Whether the first block repeats what was acknowledged before (D-SACK, RFC 2883).
  var firstIsDuplicate = false
  /// How many more segments the packet holds, which joined its own when it was sent again.
  ///
  /// It stands here since links keep it, too, beside few packets only.
  var joined: Int16 = 0
  /// The segment that the others are counted from, which keeps a packet small.
  private var base = 0
  private var first: (start: Int32, length: Int32) = (0, 0)
  private var second: (start: Int32, length: Int32) = (0, 0)
  private var third: (start: Int32, length: Int32) = (0, 0)

  /// The block at this place.
  subscript(index: Int) -> Block {
    let (start, length) = index == 0 ? first : index == 1 ? second : third
    return Block(start: base + Int(start), end: base + Int(start) + Int(length))
  }

  /// Adds a block after the others, unless there are three.
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

  /// How many blocks a packet has at most.
  static let most = 3

  /// The bytes that the option adds to a packet: two of padding, two of head, eight for each block.
  var size: Int { Self.size(of: Int(count)) }
  static func size(of count: Int) -> Int { count == 0 ? 0 : 4 + 8 * count }
}

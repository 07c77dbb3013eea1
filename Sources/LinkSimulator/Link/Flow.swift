/// The stream of chance of one connection in one direction: what decides the fate of each of its packets.
///
/// A draw is keyed by the packet's number, so the fate of packet n does not depend on when it was sent or on what other
/// connections do. Only some impairments look back, to the packet before of the same flow.
struct Flow: Sendable {
  /// The key of the seed, the host, the connection and the direction.
  var random: KeyedRandom
  /// How many packets were handed to the link so far.
  var packets: UInt64 = 0
  /// How many of them are in the queue, in service or on their way.
  var inNetwork = 0
  /// What carries over from packet to packet.
  var memory = FlowMemory()
}

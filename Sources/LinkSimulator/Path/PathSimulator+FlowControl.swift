/// The limits of streams of QUIC, in bytes and in number (RFC 9000, section 4).
///
/// The frames by which an end says that it is held up (STREAM_DATA_BLOCKED, STREAMS_BLOCKED) are left out.
extension PathSimulator {
  /// Whether a connection takes one more request now.
  ///
  /// HTTP/2 counts those that are open (RFC 9113, section 5.1.2), QUIC those that ever were (RFC 9000, section 4.6).
  func hasRoom(_ index: Int32) -> Bool {
    connections[index].isQuic
      ? connections[index].opened < connections[index].streamLimit
      : connections[index].load < configuration.streamsPerConnection
  }

  /// A request has its stream on a connection that stands.
  mutating func beginStream(_ slot: Int32, on index: Int32) {
    guard connections[index].isQuic else { return }
    connections[index].opened += 1
    streams[slot, .up].beginStream(upTo: QuicWindow.serverStream.edge)
    streams[slot, .down].beginStream(upTo: QuicWindow.clientStreamAtFirst)
    connections[index, .up].quic[0].receiver.allowance.open(streams.handle(slot))
  }

  /// A request is over, whatever of it is still under way.
  mutating func forgetStream(_ slot: Int32, on index: Int32) {
    for direction in Direction.allCases {
      connections[index, direction].quic[0].receiver.allowance.forget(streams.handle(slot))
    }
  }

  /// The server has read all of a request and written all of its response, which ends with what it wrote last.
  mutating func endStream(_ slot: Int32) {
    let index = streams[slot].connection
    let end = connections[index, .down].tcp.sender.written
    connections[index, .down].quic[0].sender.end(streams.handle(slot), at: end)
  }

  /// The other end learns what the one that sends in this direction allows.
  mutating func takeOffers(_ index: Int32, _ direction: Direction) {
    let back = direction.opposite
    while let offer = connections.takeOffer(index, direction) {
      switch offer.kind {
      case .connection: connections[index, back].quic[0].sender.edge = offer.limit
      case .stream(let stream):
        guard let slot = streams.slot(of: stream, in: .active), streams[slot].connection == index else { continue }
        streams[slot, back].raise(to: offer.limit)
        load(slot, back)
      case .streams:
        connections[index].streamLimit = Int(offer.limit)
        serveWaiting(connections[index].pool)
      }
    }
  }

  /// The server lets its client open one more stream for each that it has done with: its end is acknowledged (quic-go,
  /// `streams_map_incoming.go`).
  mutating func closeStreams(_ index: Int32) {
    while let stream = connections.takeEnding(index, .down) { closeStream(stream, on: index) }
  }

  /// The server has done with a stream.
  ///
  /// It writes MAX_STREAMS at once where its client has none left, and else with what it sends next. quic-go writes it at once
  /// always.
  mutating func closeStream(_ stream: StreamHandle, on index: Int32) {
    connections[index, .down].quic[0].sender.forgetEnding(of: stream)
    connections[index].done += 1
    let limit = max(1, configuration.streamsPerConnection) + connections[index].done
    let isUsed = connections[index].opened >= connections[index].streamLimit
    connections[index, .down].quic[0].receiver.allowStreams(limit, atOnce: isUsed)
  }
}

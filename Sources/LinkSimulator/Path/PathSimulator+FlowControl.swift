/// QUIC's flow control: limits on the bytes and the number of streams (RFC 9000, section 4).
///
/// Left out: the frames that say a sender is blocked (STREAM_DATA_BLOCKED, STREAMS_BLOCKED).
extension PathSimulator {
  /// Whether a connection accepts one more request.
  ///
  /// HTTP/2 limits the open streams (RFC 9113, section 5.1.2), QUIC all streams so far (RFC 9000, section 4.6).
  func hasRoom(_ index: Int32) -> Bool {
    connections[index].isQuic
      ? connections[index].opened < connections[index].streamLimit
      : connections[index].load < configuration.streamsPerConnection
  }

  /// Opens a QUIC stream for a request, with the initial flow-control limits.
  mutating func beginStream(_ slot: Int32, on index: Int32) {
    guard connections[index].isQuic else { return }
    connections[index].opened += 1
    streams[slot, .up].beginStream(upTo: QuicWindow.serverStream.edge)
    streams[slot, .down].beginStream(upTo: QuicWindow.clientStreamAtFirst)
    connections[index, .up].quic[0].receiver.allowance.open(streams.handle(slot))
  }

  /// Stops flow control for a request that is over, even if packets of it are still under way.
  mutating func forgetStream(_ slot: Int32, on index: Int32) {
    for direction in Direction.allCases {
      connections[index, direction].quic[0].receiver.allowance.forget(streams.handle(slot))
    }
  }

  /// Records the end of a stream: the server has read the request, and written its response.
  mutating func endStream(_ slot: Int32) {
    let index = streams[slot].connection
    let end = connections[index, .down].tcp.sender.written
    connections[index, .down].quic[0].sender.end(streams.handle(slot), at: end)
  }

  /// Applies the flow-control limits that the peer has received from the end that sends in `direction`.
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

  /// Allows the client a new stream for each stream whose end it acknowledged (quic-go, `streams_map_incoming.go`).
  mutating func closeStreams(_ index: Int32) {
    while let stream = connections.takeEnding(index, .down) { closeStream(stream, on: index) }
  }

  /// Closes a stream at the server, and allows the client another.
  ///
  /// The server sends MAX_STREAMS at once if the client has no stream left, otherwise with its next packet. quic-go
  /// always sends it at once.
  mutating func closeStream(_ stream: StreamHandle, on index: Int32) {
    connections[index, .down].quic[0].sender.forgetEnding(of: stream)
    connections[index].done += 1
    let limit = configuration.streamsPerConnection + connections[index].done
    let isUsed = connections[index].opened >= connections[index].streamLimit
    connections[index, .down].quic[0].receiver.allowStreams(limit, atOnce: isUsed)
  }
}

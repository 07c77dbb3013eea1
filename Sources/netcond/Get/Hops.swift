import NetworkConditions

/// The transfers of one call, in their order: a redirect that is followed makes another one.
struct Hops {
  let transfers: [Transfer]

  /// What the client asked for.
  let first: Transfer
  /// What gave the answer.
  let last: Transfer

  /// Nothing before there is a transfer.
  init?(_ timeline: Timeline) {
    transfers = timeline.transfers
    guard let first = transfers.first, let last = transfers.last else { return nil }
    (self.first, self.last) = (first, last)
  }

  /// From the call on.
  func since(_ time: SimulatedInstant?) -> Duration? { time.map { first.started.duration(to: $0) } }

  /// How long all of it took.
  var elapsed: Duration { first.started.duration(to: last.started) + last.elapsed }

  /// Packets, bytes, losses and retransmissions of all.
  var wire: StreamStatistics {
    transfers.reduce(into: StreamStatistics()) { sum, transfer in
      sum.up.add(transfer.wire.up)
      sum.down.add(transfer.wire.down)
    }
  }

  /// The bytes of request bodies that arrived.
  var bytesSent: Int64 { transfers.reduce(0) { $0 + $1.bytesSent } }

  var json: JSON {
    func seconds(_ time: SimulatedInstant?) -> JSON { JSON(seconds: since(time)) }
    return .array(
      transfers.map { transfer in
        .members([
          ("method", .string(transfer.method)), ("url", .string(transfer.shownURL)),
          ("status", transfer.status.map { .integer($0) } ?? .null), ("start_s", seconds(transfer.started)),
          ("resolve_s", seconds(transfer.resolved)), ("connect_s", seconds(transfer.connected)),
          ("secure_s", seconds(transfer.secured)), ("first_byte_s", seconds(transfer.firstByte)),
          ("end_s", seconds(transfer.ended)),
        ])
      })
  }
}

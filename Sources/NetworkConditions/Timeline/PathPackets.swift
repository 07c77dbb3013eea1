import Foundation

/// The packets that travelled under one profile.
public struct PathPackets: Hashable, Sendable {
  /// The name of the profile that is in force there, or was last.
  public let profile: String
  /// The log, packet by packet.
  public let log: PacketLog
}

extension Timeline {
  /// Returns the packets of a transfer's connection while the transfer lasted, in the order of the times.
  ///
  /// Transfers that share a connection share its packets, as those of HTTP/2 do. Empty unless
  /// ``SimulatedNetwork/recordsPackets`` was set before, and for a transfer that never had a connection.
  public func packets(of transfer: Transfer) -> [PacketRecord] {
    guard let connection = transfer.wire.connection, !packets.isEmpty else { return [] }
    let server = ServerAddress(URL(string: transfer.url))
    // The main path's profile may have changed since; the others keep theirs.
    let path = packets.dropFirst().first { $0.profile == transfer.profile } ?? packets[0]
    return path.log.records(
      of: connection, host: server.host, port: server.port, from: transfer.started, to: transfer.ended ?? time)
  }
}

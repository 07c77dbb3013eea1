import Foundation

/// The packets of one path, which has its own profile.
public struct PathPackets: Hashable, Sendable {
  /// The name of the path's present or last profile.
  public let profile: String
  /// The log of the path's packets.
  public let log: PacketLog
}

extension Timeline {
  /// Returns the packets of a transfer's connection during the transfer, in order of time.
  ///
  /// Transfers on the same connection share its packets, as in HTTP/2. The result is empty unless
  /// ``SimulatedNetwork/recordsPackets`` was set before, and for a transfer without a connection.
  public func packets(of transfer: Transfer) -> [PacketRecord] {
    guard let connection = transfer.wire.connection, !packets.isEmpty else { return [] }
    let server = ServerAddress(URL(string: transfer.url))
    // Only the main path's profile can have changed.
    let path = packets.dropFirst().first { $0.profile == transfer.profile } ?? packets[0]
    return path.log.records(
      of: connection, host: server.host, port: server.port, from: transfer.started, to: transfer.ended ?? time)
  }
}

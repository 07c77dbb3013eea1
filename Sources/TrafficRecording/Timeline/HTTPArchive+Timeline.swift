public import Foundation
public import NetworkConditions

extension HTTPArchive {
  /// The default date of virtual time zero in archives: the beginning of 2000, in UTC.
  public static let epoch = Date(timeIntervalSince1970: 946_684_800)

  /// Creates an archive of the transfers in a simulated network's timeline, in virtual time.
  ///
  /// A timeline has methods, URLs, statuses, body sizes and times, but neither header fields nor bodies: those are left
  /// out. A transfer that failed or is under way has the status so far, or 0, and its end in `_error`. URLs are
  /// redacted by the network's `SimulatedNetwork.redaction`.
  ///
  /// - Parameters:
  ///   - timeline: what happened.
  ///   - epoch: the date of virtual time zero. A fixed one gives equal runs equal archives.
  public init(_ timeline: Timeline, startingAt epoch: Date = HTTPArchive.epoch) {
    self.init(
      entries: timeline.transfers.map { Entry($0, startingAt: epoch) },
      comment: "Simulated: profile \(timeline.profile), seed \(timeline.seed). Times are network time, from "
        + "\(Timestamp.text(epoch)) on; header fields and bodies are not part of a timeline.")
  }
}

extension HTTPArchive.Entry {
  init(_ transfer: Transfer, startingAt epoch: Date) {
    let version = "HTTP/\(transfer.version.rawValue)"
    let request = HTTPArchive.Request(
      method: transfer.method, url: transfer.shownURL, httpVersion: version, bodyBytes: transfer.bytesSent
    ).withQuery
    let error: String? =
      switch transfer.outcome {
      case .finished: nil
      case .failed(let code): RecordedFailure.name(of: code)
      case .cancelled: RecordedFailure.name(of: .cancelled)
      case .running: "under way"
      }
    let response = HTTPArchive.Response(
      status: transfer.status ?? 0, httpVersion: version,
      content: HTTPArchive.Content(size: transfer.bytesDecoded ?? transfer.bytesReceived),
      redirectURL: transfer.redirectURL ?? "", bodyBytes: transfer.isSizeAssumed ? -1 : transfer.bytesReceived,
      error: error)
    self.init(
      started: epoch.addingTimeInterval(Double(transfer.started.nanoseconds) / 1e9), request: request,
      response: response, timings: HTTPArchive.Timings(transfer), comment: Self.remark(transfer))
  }

  private static func remark(_ transfer: Transfer) -> String {
    var parts = ["transfer \(transfer.number)", "profile \(transfer.profile)"]
    if let client = transfer.client { parts.append("client \(client)") }
    if transfer.reusedConnection { parts.append("on an existing connection") }
    let lost = transfer.wire.down.lost + transfer.wire.up.lost
    parts.append("\(transfer.wire.down.packets + transfer.wire.up.packets) packets, \(lost) lost")
    parts.append("\(transfer.retransmissions) sent again")
    return parts.joined(separator: ", ")
  }
}

extension HTTPArchive.Timings {
  /// Converts the phases of a transfer to HAR's timings; phases have no gaps between them, so the timings add up.
  init(_ transfer: Transfer) {
    self.init()
    for phase in transfer.phases {
      let length = phase.start.duration(to: phase.end)
      switch phase.kind {
      case .resolving: dns = length
      // A reused connection is not made again: the transfer waited until it was free.
      case .connecting where transfer.reusedConnection || transfer.connected == nil: blocked = length
      case .connecting: connect = (connect ?? .zero) + length
      case .securing:
        tls = length
        connect = (connect ?? .zero) + length
      case .sending: send = length
      case .waiting: wait = length
      case .receiving: receive = length
      }
    }
  }
}

import Foundation
import Internals
import LinkSimulator
import NetworkConditions

struct ListedTransfer {
  /// The assumed resolution of a client for times within a transfer: half a second, in nanoseconds.
  static let slotLength: Int64 = 500_000_000

  let transfer: Transfer
  let turn: Int
  let contents: TransferContents
  let match: RequestMatch
  let via: String?
  private let arrivals: [(count: Int64, time: SimulatedInstant)]
  private let otherTimes: [SimulatedInstant]

  init(_ transfer: Transfer, turn: Int, _ contents: TransferContents, in timeline: Timeline) {
    (self.transfer, self.turn, self.contents) = (transfer, turn, contents)
    match = RequestMatch(transfer)
    via = transfer.via(timeline)
    let head = contents.headBytes ?? 0
    arrivals = timeline.events.compactMap { event in
      guard event.transfer == transfer.number else { return nil }
      return switch event.kind {
      case .response: (head, event.time)
      case .received(let bytes, _): (head + bytes, event.time)
      default: nil
      }
    }
    otherTimes = Self.others(of: transfer, in: timeline)
  }

  func fault(_ fault: RequestFault) -> ScheduledFault { ScheduledFault(.request(match, fault), via: via) }

  var isSecure: Bool { transfer.url.lowercased().hasPrefix("https") }

  /// How long a stall must last to exceed the client's idle timeout: 5 s longer than the timeout.
  var patience: Duration { idleTimeout + .seconds(5) }

  /// The longest pause that the client accepts: 1 s shorter than its idle timeout.
  var longestPause: Duration { idleTimeout - .seconds(1) }

  private var idleTimeout: Duration { contents.idleTimeout ?? .seconds(60) }

  /// The time at which the first `count` bytes of the answer have arrived.
  func arrival(of count: Int64) -> SimulatedInstant {
    let low = arrivals.partitioningIndex { $0.count >= count }
    return low < arrivals.count ? arrivals[low].time : transfer.ended ?? arrivals.last?.time ?? transfer.started
  }

  func slot(at time: SimulatedInstant) -> Int64 {
    transfer.started.duration(to: time).wholeNanoseconds / Self.slotLength
  }

  func others(before time: SimulatedInstant) -> Int { otherTimes.partitioningIndex { $0 > time } }

  /// The times at which the client hears of other transfers while this one is under way.
  static func others(of transfer: Transfer, in timeline: Timeline) -> [SimulatedInstant] {
    let end = transfer.ended ?? timeline.time
    return timeline.events.compactMap { event in
      guard let number = event.transfer, number != transfer.number, transfer.started <= event.time, event.time <= end
      else { return nil }
      if case .response = event.kind { return event.time }
      return event.kind.isEnd ? event.time : nil
    }
  }
}

extension RequestMatch {
  /// Matches only the request of this transfer.
  init(_ transfer: Transfer) {
    self.init(method: transfer.method, nth: transfer.occurrence, url: transfer.shownURL)
  }
}

extension Transfer {
  /// The profile under which a rule sends the transfer; `nil` when that is the run's own profile.
  func via(_ timeline: Timeline) -> String? { profile == timeline.profile ? nil : profile }

  var origin: String {
    guard let url = URL(string: url), let host = url.host else { return "" }
    return "\(host.lowercased()):\(url.port ?? (url.scheme?.lowercased() == "https" ? 443 : 80))"
  }
}

extension Timeline {
  /// The method and the path of each request, such as `GET /a`, with the host and the query if there are several.
  var shownRequests: [String] {
    let places = transfers.map { transfer in
      let url = URL(string: transfer.shownURL)
      let port = url?.port.map { ":\($0)" } ?? ""
      let query = url?.query.map { "?\($0)" } ?? ""
      let path = url?.path(percentEncoded: false) ?? transfer.shownURL
      return (host: "\(url?.host ?? "")\(port)", path: path, query: query)
    }
    let hasSeveral = Set(places.map(\.host)).count > 1
    let queries = Dictionary(grouping: places, by: \.path).mapValues { Set($0.map(\.query)).count }
    return zip(transfers, places).map { transfer, place in
      let query = queries[place.path, default: 1] > 1 ? place.query : ""
      return "\(transfer.method) \(hasSeveral ? place.host : "")\(place.path.isEmpty ? "/" : place.path)\(query)"
    }
  }
}

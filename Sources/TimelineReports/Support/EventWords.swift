import Foundation
import NetworkConditions

struct EventWords {
  let name: String
  var detail = ""
  var direction: Direction?
  var bytes: Int64?
  var total: Int64?

  init(_ kind: NetworkEvent.Kind) {
    switch kind {
    case .started(let method, let url): (name, detail) = ("started", "\(method) \(url)")
    case .resolved(let cached): (name, detail) = ("resolved", cached ? "cached" : "")
    case .connected(let reused): (name, detail) = ("connected", reused ? "reused" : "")
    case .uploaded(let bytes, let total): (name, self.bytes, self.total) = ("uploaded", bytes, total)
    case .response(let status): (name, detail) = ("response", "\(status)")
    case .received(let bytes, let total): (name, self.bytes, self.total) = ("received", bytes, total)
    case .packetLost(let direction, let reason):
      (name, self.direction, detail) = ("packet lost", direction, Self.reason(reason))
    case .retransmitted(let direction, let cause):
      (name, self.direction, detail) = ("retransmitted", direction, cause.rawValue)
    case .fault(let text): (name, detail) = ("fault", text)
    case .phaseEntered(let phase): (name, detail) = ("phase", phase)
    case .conditionsChanged(let text): (name, detail) = ("conditions", text)
    case .pathChanged(let path): (name, detail) = ("path", "\(path)")
    case .launched(let number): (name, detail) = ("client launched", number == 1 ? "" : "\(number)")
    case .redirected(let url): (name, detail) = ("redirected", url)
    case .failed(let code): (name, detail) = ("failed", URLErrorNames.known(code) ?? "\(code.rawValue)")
    default: name = "\(kind)"
    }
  }

  static func reason(_ reason: PacketLoss) -> String {
    switch reason {
    case .queueFull: "queue full"
    case .link: "link"
    case .corruption: "corruption"
    case .outage: "outage"
    case .forgotten: "connection forgotten"
    case .blocked: "UDP blocked"
    }
  }

  var text: String {
    var text = name
    if let bytes { text += " \(bytes)\(total.map { " of \($0)" } ?? "") bytes" }
    let details = [direction?.rawValue, detail.isEmpty ? nil : detail].compactMap { $0 }
    return details.isEmpty ? text : "\(text): \(details.joined(separator: ", "))"
  }
}

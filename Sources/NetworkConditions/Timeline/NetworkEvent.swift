public import Foundation

/// Something that happened in a simulated network: when, to which transfer, and what.
public struct NetworkEvent: Hashable, Sendable {
  /// When it happened, in the network's own time.
  public var time: SimulatedInstant
  /// The number of the transfer (``Transfer/number``); `nil` for what happened to the network as a whole.
  public var transfer: Int?
  /// The event itself.
  public var kind: Kind

  /// Creates an event.
  public init(time: SimulatedInstant, transfer: Int?, kind: Kind) {
    self.time = time
    self.transfer = transfer
    self.kind = kind
  }

  /// The kinds of events in a network.
  public enum Kind: Hashable, Sendable {
    /// A client asked for a transfer; the URL is the one that texts show (``Transfer/shownURL``).
    case started(method: String, url: String)
    /// The host's name was resolved.
    case resolved(cached: Bool)
    /// The TCP connection stands.
    case connected(reused: Bool)
    /// The TLS handshake is done.
    case secured
    /// QUIC was not to be had in time, and the request goes over TCP by HTTP/2.
    case fellBack
    /// The last byte of the request was handed to the link.
    case requestSent
    /// So much of the request's body has reached the server.
    case uploaded(bytes: Int64, of: Int64?)
    /// The response's head has arrived.
    case response(status: Int)
    /// So much of the response's body has arrived in all; the second number is what was promised.
    case received(bytes: Int64, of: Int64?)
    /// A packet was lost.
    case packetLost(Direction, PacketLoss)
    /// A segment was sent again.
    case retransmitted(Direction, Retransmission)
    /// Nothing arrived although something was due.
    case stalled
    /// A fault of the profile, in words, was applied.
    case fault(String)
    /// A phase of the profile began.
    case phaseEntered(String)
    /// Other conditions were put in force from code.
    case conditionsChanged(String)
    /// The system tells of another network, or of none.
    case pathChanged(NetworkPath)
    /// The app was suspended: nothing reaches it until it goes on.
    case suspended
    /// The app goes on, without the connections that it had.
    case resumed
    /// A client was launched, for the first time or once more (``SimulatedNetwork/launch(_:)``).
    case launched(Int)
    /// A schedule has killed the clients that were launched.
    case killed
    /// A schedule has cut the power of the clients that were launched: they are killed, and what they had written and not
    /// synchronised is lost.
    case powerLost
    /// The system is offline: the request waits until it is not (`URLSessionConfiguration.waitsForConnectivity`).
    case waitingForConnectivity
    /// The answer was a redirect, which was followed; the URL is the one that texts show.
    case redirected(to: String)
    /// The connection had been kept and turned out dead: the client's HTTP library sends the request again by itself.
    case repeated
    /// A timeout of the client's ended the transfer; `failed` follows.
    case timedOut
    /// The transfer failed.
    case failed(URLError.Code)
    /// The client cancelled the transfer.
    case cancelled
    /// The transfer is complete.
    case finished

    /// Whether this is the end of a transfer: each has exactly one.
    public var isEnd: Bool {
      switch self {
      case .failed, .cancelled, .finished: true
      default: false
      }
    }
  }
}

extension NetworkEvent: CustomStringConvertible {
  /// One line: the time, the transfer and what happened.
  public var description: String {
    "\(time) \(transfer.map { "#\($0) " } ?? "")\(kind)"
  }
}

extension NetworkEvent.Kind: CustomStringConvertible {
  /// The event in a few words.
  public var description: String {
    switch self {
    case .started(let method, let url): "started \(method) \(url)"
    case .resolved(let cached): cached ? "resolved (cached)" : "resolved"
    case .connected(let reused): reused ? "connected (reused)" : "connected"
    case .fellBack: "falls back to TCP"
    case .secured: "secured"
    case .requestSent: "request sent"
    case .uploaded(let bytes, let total): "uploaded \(bytes)\(total.map { " of \($0)" } ?? "") bytes"
    case .response(let status): "response \(status)"
    case .received(let bytes, let total): "received \(bytes)\(total.map { " of \($0)" } ?? "") bytes"
    case .packetLost(let direction, let reason): "packet lost (\(direction.rawValue), \(reason.rawValue))"
    case .retransmitted(let direction, let reason): "retransmitted (\(direction.rawValue), \(reason.rawValue))"
    case .stalled: "stalled"
    case .fault(let text): "fault: \(text)"
    case .phaseEntered(let name): "phase \(name)"
    case .conditionsChanged(let name): "conditions \(name)"
    case .pathChanged(let path): "path \(path)"
    case .suspended: "app suspended"
    case .resumed: "app resumed"
    case .launched(let number): number == 1 ? "client launched" : "client launched again (\(number))"
    case .killed: "client killed"
    case .powerLost: "power lost"
    case .waitingForConnectivity: "waiting for connectivity"
    case .redirected(let url): "redirected to \(url)"
    case .repeated: "sent again by the library"
    case .timedOut: "timed out"
    case .failed(let code): "failed (\(code.rawValue))"
    case .cancelled: "cancelled"
    case .finished: "finished"
    }
  }
}

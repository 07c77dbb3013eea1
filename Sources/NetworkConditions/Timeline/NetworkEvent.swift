public import Foundation

/// An event in a simulated network: its time, its transfer and its kind.
public struct NetworkEvent: Hashable, Sendable {
  /// When the event happened, in the network's time.
  public var time: SimulatedInstant
  /// The transfer's number (``Transfer/number``); `nil` for an event of the whole network.
  public var transfer: Int?
  /// The kind of event, with its details.
  public var kind: Kind

  /// Creates an event.
  public init(time: SimulatedInstant, transfer: Int?, kind: Kind) {
    self.time = time
    self.transfer = transfer
    self.kind = kind
  }

  /// The kinds of events in a network.
  public enum Kind: Hashable, Sendable {
    /// A client started a transfer; the URL has no secrets (``Transfer/shownURL``).
    case started(method: String, url: String)
    /// The host's name was resolved.
    case resolved(cached: Bool)
    /// The connection is established.
    case connected(reused: Bool)
    /// The TLS handshake is complete.
    case secured
    /// QUIC did not connect in time, so the request uses HTTP/2 over TCP.
    case fellBack
    /// The client's end has handed the last byte of the request to the link.
    case requestSent
    /// Bytes of the request's body have reached the server: how many so far, of how many.
    case uploaded(bytes: Int64, of: Int64?)
    /// The response's head has arrived.
    case response(status: Int)
    /// Bytes of the response's body have arrived: how many so far, of how many announced.
    case received(bytes: Int64, of: Int64?)
    /// A packet was lost.
    case packetLost(Direction, PacketLoss)
    /// A segment was sent again.
    case retransmitted(Direction, Retransmission)
    /// No data arrived for a while, although data was due.
    case stalled
    /// A fault was applied; the text describes it.
    case fault(String)
    /// A phase of the profile began.
    case phaseEntered(String)
    /// Code changed the profile or started or ended an outage.
    case conditionsChanged(String)
    /// The system reports another network status to the app.
    case pathChanged(NetworkPath)
    /// The app was suspended: the network's events wait until it resumes.
    case suspended
    /// The app resumed, without its earlier connections.
    case resumed
    /// A client was launched; the value is the number of its launch, from 1 (``SimulatedNetwork/launch(_:)``).
    case launched(Int)
    /// A schedule killed the launched clients.
    case killed
    /// A schedule cut the power: the launched clients were killed, and their unsynchronised bytes are lost.
    case powerLost
    /// The system is offline, so the request waits for a network (`URLSessionConfiguration.waitsForConnectivity`).
    case waitingForConnectivity
    /// The answer was a redirect, which was followed; the URL has no secrets.
    case redirected(to: String)
    /// The client's HTTP library sends the request again: its reused connection was dead, or the server did not process it.
    case repeated
    /// A timeout of the client ended the transfer; `failed` follows.
    case timedOut
    /// The transfer failed.
    case failed(URLError.Code)
    /// The client cancelled the transfer.
    case cancelled
    /// The transfer is complete.
    case finished

    /// Whether the event ends a transfer; each transfer has exactly one such event.
    public var isEnd: Bool {
      switch self {
      case .failed, .cancelled, .finished: true
      default: false
      }
    }
  }
}

extension Transfer.Outcome {
  /// The event that ends a transfer in this way; `nil` for a running one.
  var event: NetworkEvent.Kind? {
    switch self {
    case .running: nil
    case .finished: .finished
    case .failed(let code): .failed(code)
    case .cancelled: .cancelled
    }
  }
}

extension NetworkEvent: CustomStringConvertible {
  /// One line with the time, the transfer and the event.
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

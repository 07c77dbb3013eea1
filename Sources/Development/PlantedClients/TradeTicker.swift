package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// Follows a day's trades as Server-Sent Events and resumes after the last one when the connection is lost.
///
/// Its mistake: an event counts as received when its identifier is read, not when the event is complete. An event that
/// is cut after that line is not sent again.
package struct TradeTicker: Sendable {
  /// Sends a request and returns the body and status of the response.
  package typealias Send = @Sendable (URLRequest) async throws -> (Data, Int)

  private let base: URL
  private let tape: TradeTape
  private let send: Send
  private let pause: @Sendable (Duration) async throws -> Void
  private let attempts = 4

  package init(base: URL, tape: TradeTape, clock: any Clock<Duration>, send: @escaping Send) {
    (self.base, self.tape, self.send) = (base, tape, send)
    pause = { try await clock.sleep(for: $0) }
  }

  /// Follows all trades of the watched symbols until the market closes.
  ///
  /// - Parameter open: requests a stream and returns the status, media type and bytes of the response.
  /// - Throws: ``TickerError``, or the network's error after the last attempt.
  package func follow<Bytes: AsyncSequence>(
    _ open: @Sendable (URLRequest) async throws -> (status: Int, type: String?, bytes: Bytes)
  ) async throws where Bytes.Element == UInt8 {
    let symbols = try await watchlist()
    var connection = StreamState()
    var failures = 0
    while true {
      do {
        if try await read(open, symbols, &connection) { return }
        // The server closed the connection normally: request the rest.
        failures += 1
        guard failures < attempts else { throw TickerError.unfinished }
      } catch let error as URLError where error.code != .cancelled && !Task.isCancelled {
        failures += 1
        guard failures < attempts else { throw error }
        await tape.note(.interrupted)
      } catch TickerError.busy(let status) {
        failures += 1
        guard failures < attempts else { throw TickerError.busy(status) }
      }
      try await pause(connection.retry)
    }
  }

  // MARK: The watchlist

  private struct Watchlist: Decodable {
    let symbols: [String]
  }

  private func watchlist() async throws -> [String] {
    let request = URLRequest(url: base.appendingPathComponent("watchlist"), timeoutInterval: 20)
    for attempt in 1...attempts {
      do {
        let (data, status) = try await send(request)
        switch status {
        case 200:
          guard let list = try? JSONDecoder().decode(Watchlist.self, from: data), !list.symbols.isEmpty else {
            throw TickerError.malformed("watchlist")
          }
          return list.symbols
        case 408, 429, 500...: if attempt == attempts { throw TickerError.busy(status) }
        default: throw TickerError.refused(status)
        }
      } catch let error as URLError where error.code != .cancelled && !Task.isCancelled {
        if attempt == attempts { throw error }
      }
      try await pause(.milliseconds(500 * attempt))
    }
    throw TickerError.unfinished
  }

  // MARK: The stream

  private struct StreamState {
    var lastEventID = ""
    var retry = Duration.seconds(1)
  }

  /// Reads one connection to its end.
  ///
  /// - Returns: whether the day is over.
  private func read<Bytes: AsyncSequence>(
    _ open: @Sendable (URLRequest) async throws -> (status: Int, type: String?, bytes: Bytes), _ symbols: [String],
    _ connection: inout StreamState
  ) async throws -> Bool where Bytes.Element == UInt8 {
    var components = URLComponents(url: base.appendingPathComponent("trades"), resolvingAgainstBaseURL: false)
    components?.queryItems = [URLQueryItem(name: "symbols", value: symbols.joined(separator: ","))]
    guard let url = components?.url else { throw TickerError.malformed("watchlist") }
    var request = URLRequest(url: url, timeoutInterval: 20)
    request.setValue("text/event-stream", forHTTPHeaderField: "Accept")
    if !connection.lastEventID.isEmpty {
      request.setValue(connection.lastEventID, forHTTPHeaderField: "Last-Event-ID")
    }
    let (status, type, bytes) = try await open(request)
    switch status {
    case 200: break
    case 204: return true
    case 408, 429, 500...: throw TickerError.busy(status)
    default: throw TickerError.refused(status)
    }
    guard type?.hasPrefix("text/event-stream") == true else { throw TickerError.malformed(type ?? "no media type") }
    await tape.note(.connected)

    var event = ServerSentEvent()
    var lines = LineSplitter()
    for try await byte in bytes {
      guard let line = lines.add(byte) else { continue }
      guard let line = String(validating: line, as: UTF8.self) else { throw TickerError.malformed("text") }
      if line.isEmpty {
        defer { event = ServerSentEvent() }
        if try await dispatch(event) { return true }
        continue
      }
      switch event.add(line) {
      case .none: break
      case .identified(let id): connection.lastEventID = id
      case .retry(let time): connection.retry = time
      }
    }
    // An event that no empty line ends is discarded.
    return false
  }

  /// Processes an event.
  ///
  /// - Returns: whether it is the last.
  private func dispatch(_ event: ServerSentEvent) async throws -> Bool {
    guard !event.data.isEmpty else { return false }
    switch event.name {
    case "trade":
      guard let trade = try? JSONDecoder().decode(Trade.self, from: Data(event.text.utf8)) else {
        throw TickerError.malformed("trade")
      }
      await tape.add(trade)
      return false
    case "close":
      await tape.note(.closed)
      return true
    default:
      return false
    }
  }
}

/// Why following the trades failed.
package enum TickerError: Error, Hashable, Sendable {
  case busy(Int)
  case refused(Int)
  case malformed(String)
  case unfinished
}

package struct Trade: Codable, Hashable, Sendable {
  /// Its number within the day.
  package let number: Int
  /// The number of shares traded.
  package let size: Int

  private enum CodingKeys: String, CodingKey {
    case number = "n", size
  }

  package init(number: Int, size: Int) {
    (self.number, self.size) = (number, size)
  }
}

/// The received trades.
package actor TradeTape {
  package enum Note: Hashable, Sendable {
    case connected, interrupted, closed
  }

  package private(set) var trades: [Trade] = []
  package private(set) var notes: [Note] = []

  package init() {}

  /// The sum of the trades' sizes.
  package var volume: Int { trades.reduce(0) { $0 + $1.size } }

  /// The largest trade; the first of equal ones.
  package var largest: Trade? {
    trades.reduce(nil) { best, trade in trade.size > best?.size ?? 0 ? trade : best }
  }

  /// The number of lost connections.
  package var interruptions: Int { notes.count { $0 == .interrupted } }

  /// The last line of the screen.
  package var summary: String {
    let state = notes.last == .closed ? "closed" : "open"
    return "\(trades.count) trades, \(volume) in all, \(largest?.size ?? 0) at most, \(state)"
  }

  func add(_ trade: Trade) { trades.append(trade) }

  func note(_ note: Note) { notes.append(note) }
}

/// An event assembled from its lines (HTML, section 9.2.6).
private struct ServerSentEvent {
  enum Effect {
    case none
    case identified(String)
    case retry(Duration)
  }

  private(set) var name = "message"
  private(set) var data: [String] = []

  var text: String { data.joined(separator: "\n") }

  mutating func add(_ line: String) -> Effect {
    let field: Substring
    var value: Substring = ""
    if let colon = line.firstIndex(of: ":") {
      field = line[..<colon]
      value = line[line.index(after: colon)...]
      if value.first == " " { value.removeFirst() }
    } else {
      field = line[...]
    }
    switch field {
    case "event": name = String(value)
    case "data": data.append(String(value))
    case "id" where !value.contains("\0"): return .identified(String(value))
    case "retry": if let time = Int(value), time >= 0 { return .retry(.milliseconds(time)) }
    // A comment that keeps the connection open, or an unknown field.
    default: break
    }
    return .none
  }
}

/// Splits bytes into lines that end with CR, LF or both.
private struct LineSplitter {
  private var line: [UInt8] = []
  private var wasReturn = false

  /// The line that this byte ends.
  mutating func add(_ byte: UInt8) -> [UInt8]? {
    defer { wasReturn = byte == 0x0D }
    switch byte {
    case 0x0A where wasReturn: return nil
    case 0x0A, 0x0D:
      defer { line = [] }
      return line
    default:
      line.append(byte)
      return nil
    }
  }
}

import LinkSimulator
import NetworkConditions

@testable import NetworkProxy

/// Fake sockets in memory, for a proxy that a test drives step by step in virtual time.
final class MemorySockets: SocketSystem {
  struct End {
    var incoming: [UInt8] = []
    var hasEnded = false
    var outgoing: [UInt8] = []
    /// When the last byte was added to `outgoing`.
    var lastWrite = SimulatedInstant.zero
    var saidEnd = false
    var wasClosed = false
    var wasReset = false
    /// How many more bytes the socket accepts.
    var room = Int.max
  }

  var ends: [Int32: End] = [:]
  var asked: [(host: String, port: UInt16, token: Int)] = []
  var time = SimulatedInstant.zero

  func read(_ socket: Int32, into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
    guard var end = ends[socket], !end.wasClosed else { return .broken }
    if end.incoming.isEmpty { return end.hasEnded ? .end : .nothing }
    let count = min(buffer.count, end.incoming.count)
    buffer.copyBytes(from: end.incoming[..<count])
    end.incoming.removeFirst(count)
    ends[socket] = end
    return .bytes(count)
  }

  func write(_ socket: Int32, _ bytes: UnsafeRawBufferPointer) -> WriteOutcome {
    guard let end = ends[socket], !end.wasClosed else { return .broken }
    let count = min(end.room, bytes.count)
    guard count > 0 else { return .full }
    ends[socket]?.outgoing += bytes[..<count]
    ends[socket]?.room -= count
    ends[socket]?.lastWrite = time
    return .bytes(count)
  }

  func endWriting(_ socket: Int32) { ends[socket]?.saidEnd = true }

  func close(_ socket: Int32, resetting: Bool) {
    ends[socket]?.wasClosed = true
    ends[socket]?.wasReset = resetting
  }

  func connect(to host: String, port: UInt16, token: Int) { asked.append((host, port, token)) }
}

/// A proxy on fake sockets.
final class ProxyBench {
  let sockets = MemorySockets()
  let core: ProxyCore
  private var next: Int32 = 100
  /// How servers answer the bytes that they receive; `nil` means never.
  var server: (([UInt8]) -> [UInt8]?)?
  private var answered: [Int32: Int] = [:]
  /// The bytes that each server sends at once after connecting; with `leaves` it then closes.
  var greeting: [UInt8]
  var leaves = false

  /// The first bytes of a server that waits for its client, and of one that sends first.
  static let greetings = ["", "220 hello\r\n"]

  init(_ profile: NetworkProfile, seed: UInt64 = 0, greeting: String = "") {
    self.greeting = Array(greeting.utf8)
    core = ProxyCore(profile: profile, seed: seed, system: sockets)
  }

  var time: SimulatedInstant { core.network.time }

  /// Connects a client that sends this text at once.
  func client(_ text: String = "", _ entrance: ProxyConnection.Entrance = .proxy) -> Int32 {
    next += 1
    let socket = next
    sockets.ends[socket] = MemorySockets.End()
    core.accepted(socket, entrance)
    say(text, socket)
    return socket
  }

  func say(_ text: String, _ socket: Int32) { say(Array(text.utf8), socket) }

  func say(_ bytes: [UInt8], _ socket: Int32) {
    sockets.time = time
    sockets.ends[socket]?.incoming += bytes
    core.became(.reading, socket)
    core.settle()
    work()
  }

  func end(_ socket: Int32) {
    sockets.ends[socket]?.hasEnded = true
    core.became(.reading, socket)
    core.settle()
    work()
  }

  func makeRoom(_ socket: Int32) {
    sockets.ends[socket]?.room = .max
    core.became(.writing, socket)
    core.settle()
  }

  /// The sockets to servers, in the order in which they were connected.
  private(set) var servers: [Int32] = []
  /// Whether servers refuse connections.
  var refuses = false

  private func work() {
    while !sockets.asked.isEmpty {
      let (host, port, token) = sockets.asked.removeFirst()
      next += 1
      if let address = SocketAddress(host: host, port: port), core.isOwn(address) {
        core.connected(token, .failure(.ownAddress))
      } else if refuses {
        core.connected(token, .failure(.refused))
      } else {
        sockets.ends[next] = MemorySockets.End(incoming: greeting, hasEnded: leaves)
        servers.append(next)
        core.connected(token, .success(next))
      }
    }
    guard let server else { return }
    for socket in servers {
      guard let end = sockets.ends[socket], end.outgoing.count > answered[socket, default: 0] else { continue }
      let new = Array(end.outgoing[answered[socket, default: 0]...])
      guard let answer = server(new) else { continue }
      answered[socket] = end.outgoing.count
      sockets.ends[socket]?.incoming += answer
      core.became(.reading, socket)
      core.settle()
    }
  }

  /// Advances the network's time, one event after another.
  func run(for duration: Duration = .seconds(600)) {
    work()
    let limit = time.advanced(by: duration)
    while let next = core.nextTime, next <= limit {
      sockets.time = max(time, next)
      core.advance(to: next)
      work()
    }
    core.advance(to: limit)
    work()
  }

  func text(_ socket: Int32) -> String { String(decoding: sockets.ends[socket]?.outgoing ?? [], as: UTF8.self) }
  var timeline: Timeline { core.network.snapshot() }
}

extension NetworkProfile {
  /// A profile with 8 Mbit/s down, 1 Mbit/s up and a round trip of 100 ms.
  static func plain(_ faults: [FaultRule] = [], loss: LossModel = .none) -> NetworkProfile {
    var down = LinkConditions(rate: .megabitsPerSecond(8), delay: .milliseconds(50))
    down.loss = loss
    return NetworkProfile(
      name: "plain", down: down, up: LinkConditions(rate: .megabitsPerSecond(1), delay: .milliseconds(50)),
      faults: faults)
  }
}

import LinkSimulator
import NetworkConditions

extension ProxyCore {
  /// So many pieces are moved in one turn, so that nobody waits for long.
  private static let turns = 8

  func pump(_ connection: ProxyConnection) {
    for turn in 0... {
      guard !connection.isGone else { return }
      flush(connection)
      if turn == Self.turns { return queue(connection) }
      let fromClient = readClient(connection)
      let fromServer = readServer(connection)
      guard fromClient || fromServer else { break }
    }
    flush(connection)
    finishIfOver(connection)
  }

  // MARK: Reading

  private func wantsClient(_ connection: ProxyConnection) -> Int {
    switch connection.stage {
    case .asking, .socksRequest:
      return HTTPHead.longest + (isControl(connection) ? ControlRequest.longest : 0) + 4 - connection.input.count
    case .connecting: return Self.mostUnheard - connection.input.count
    case .leaving: return scratch.count
    case .gone: return 0
    case .carrying:
      guard connection.isTunnel || !connection.requestBody.isDone else {
        return Self.mostUnheard - connection.input.count
      }
      return roomUp(connection)
    }
  }

  func isControl(_ connection: ProxyConnection) -> Bool {
    if case .control = connection.entrance { return true }
    return false
  }

  private func roomUp(_ connection: ProxyConnection) -> Int {
    guard let link = connection.link, connection.up.arrived < Self.mostWaiting else { return 0 }
    guard connection.isLinked else { return Self.mostWaiting - connection.earlyCount }
    return Int(clamping: network.room(.up, on: link))
  }

  private func readClient(_ connection: ProxyConnection) -> Bool {
    guard connection.clientReady.contains(.reading), !connection.clientEnded else { return false }
    let room = min(wantsClient(connection), scratch.count)
    guard room > 0 else { return false }
    switch system.read(connection.client, into: UnsafeMutableRawBufferPointer(rebasing: scratch[..<room])) {
    case .bytes(let count):
      hearClient(connection, UnsafeMutableRawBufferPointer(rebasing: scratch[..<count]))
      return true
    case .nothing:
      connection.clientReady.remove(.reading)
    case .end:
      connection.clientEnded = true
      clientEnded(connection)
      return !connection.isGone
    case .broken:
      close(connection, resetting: true)
    }
    return false
  }

  private func readServer(_ connection: ProxyConnection) -> Bool {
    // A server that speaks first waits for the link: the proxy's own reply, which tells that it stands, comes before.
    guard connection.isLinked, connection.serverReady.contains(.reading), connection.server >= 0,
      !connection.isGone, !connection.serverEnded,
      let link = connection.link, connection.down.arrived < Self.mostWaiting
    else { return false }
    let room = min(network.room(.down, on: link), Int64(scratch.count))
    guard room > 0 else { return false }
    let place = UnsafeMutableRawBufferPointer(rebasing: scratch[..<Int(room)])
    switch system.read(connection.server, into: place) {
    case .bytes(let count):
      hearServer(connection, UnsafeMutableRawBufferPointer(rebasing: place[..<count]))
      return true
    case .nothing:
      connection.serverReady.remove(.reading)
    case .end:
      connection.serverEnded = true
      serverEnded(connection)
      return true
    case .broken:
      connection.serverEnded = true
      connection.serverReady = []
      network.abort(link)
    }
    return false
  }

  // MARK: Handing over

  func send(_ bytes: UnsafeRawBufferPointer, _ connection: ProxyConnection) {
    guard let link = connection.link, !bytes.isEmpty else { return }
    guard connection.isLinked else {
      connection.early.append(Array(bytes))
      connection.earlyCount += bytes.count
      return
    }
    let isThere = network.write(Int64(bytes.count), .up, on: link)
    if isThere, connection.up.isEmpty, connection.server >= 0, connection.ownAnswer == nil,
      connection.effects[.up] == nil
    {
      connection.heardByServer += Int64(bytes.count)
      if let rest = writeNow(bytes, connection.server, &connection.serverReady) {
        connection.up.append(rest)
        connection.up.release(Int64(rest.count))
      }
    } else {
      connection.up.append(bytes)
      if isThere { arrivedAtServer(Int64(bytes.count), connection) }
    }
  }

  func answer(_ bytes: UnsafeRawBufferPointer, _ connection: ProxyConnection) {
    guard let link = connection.link, !bytes.isEmpty else { return }
    let isThere = network.write(Int64(bytes.count), .down, on: link)
    if isThere, connection.down.isEmpty, connection.effects[.down] == nil {
      if let rest = writeNow(bytes, connection.client, &connection.clientReady) {
        connection.down.append(rest)
        connection.down.release(Int64(rest.count))
      }
    } else {
      connection.down.append(bytes)
      if isThere { connection.down.release(Int64(bytes.count)) }
    }
  }

  func tell(_ connection: ProxyConnection, _ bytes: [UInt8]) {
    connection.down.append(bytes)
    connection.down.release(Int64(bytes.count))
  }

  /// Writes as many bytes as the socket has room for, and returns the rest; `nil` where all were written.
  private func writeNow(
    _ bytes: UnsafeRawBufferPointer, _ socket: Int32, _ ready: inout ReadinessChange
  ) -> UnsafeRawBufferPointer? {
    guard ready.contains(.writing) else { return bytes }
    switch system.write(socket, bytes) {
    case .bytes(let count) where count == bytes.count: return nil
    case .bytes(let count):
      ready.remove(.writing)
      return UnsafeRawBufferPointer(rebasing: bytes[count...])
    case .full, .broken:
      ready.remove(.writing)
      return bytes
    }
  }

  // MARK: Writing

  private func flush(_ connection: ProxyConnection) {
    if connection.server >= 0, connection.up.arrived > 0, connection.serverReady.contains(.writing) {
      let limit = allowance(connection, .up)
      switch connection.up.write(atMost: limit, { system.write(connection.server, $0) }) {
      case .bytes(let count) where connection.effects[.up] != nil: passed(count, .up, connection)
      case .bytes: break
      case .full: connection.serverReady.remove(.writing)
      case .broken:
        connection.up.discardArrived()
        if let link = connection.link { network.abort(link) }
      }
    }
    if connection.down.arrived > 0, connection.clientReady.contains(.writing) {
      let limit = allowance(connection, .down)
      switch connection.down.write(atMost: limit, { system.write(connection.client, $0) }) {
      case .bytes(let count) where connection.effects[.down] != nil: passed(count, .down, connection)
      case .bytes: break
      case .full: connection.clientReady.remove(.writing)
      case .broken: return close(connection, resetting: true)
      }
    }
    if connection.upEnded, connection.up.arrived == 0, !connection.upClosed, connection.server >= 0 {
      connection.upClosed = true
      system.endWriting(connection.server)
    }
    if connection.downEnded || connection.stage == .leaving, connection.down.arrived == 0, !connection.downClosed {
      connection.downClosed = true
      system.endWriting(connection.client)
    }
  }

  private func finishIfOver(_ connection: ProxyConnection) {
    guard !connection.isGone else { return }
    if connection.stage == .leaving {
      if connection.clientEnded, connection.downClosed { close(connection) }
    } else if connection.downClosed {
      if connection.upClosed || connection.upEnded && connection.server < 0 { return close(connection) }
      if !connection.isTunnel, connection.deadline == nil { connection.deadline = uptime + Self.farewell }
    }
  }
}

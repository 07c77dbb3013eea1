import LinkSimulator
import NetworkConditions

extension ProxyCore {
  /// How often the proxy moves bytes of one connection before it turns to the next, so that none waits for long.
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
    case .connecting: return Self.mostUnparsed - connection.input.count
    case .leaving: return scratch.count
    case .gone: return 0
    case .carrying:
      guard connection.isTunnel || !connection.exchange.requestBody.isDone, !connection.exchange.isPutOff else {
        return Self.mostUnparsed - connection.input.count
      }
      return roomUp(connection)
    }
  }

  func isControl(_ connection: ProxyConnection) -> Bool {
    if case .control = connection.entrance { return true }
    return false
  }

  private func roomUp(_ connection: ProxyConnection) -> Int {
    guard let link = connection.link.number, connection.up.bytes.arrived < Self.mostWaiting else { return 0 }
    guard connection.link.isOpen else { return Self.mostWaiting - connection.link.early.reduce(0) { $0 + $1.count } }
    return Int(clamping: network.room(.up, on: link))
  }

  private func readClient(_ connection: ProxyConnection) -> Bool {
    guard connection.client.isReady.contains(.reading), !connection.client.hasEnded else { return false }
    let room = min(wantsClient(connection), scratch.count)
    guard room > 0 else { return false }
    switch system.read(connection.client.socket, into: UnsafeMutableRawBufferPointer(rebasing: scratch[..<room])) {
    case .bytes(let count):
      hearClient(connection, UnsafeMutableRawBufferPointer(rebasing: scratch[..<count]))
      return true
    case .nothing:
      connection.client.isReady.remove(.reading)
    case .end:
      connection.client.hasEnded = true
      clientEnded(connection)
      return !connection.isGone
    case .broken:
      close(connection, resetting: true)
    }
    return false
  }

  private func readServer(_ connection: ProxyConnection) -> Bool {
    // The server's first bytes wait until the link is open, since the proxy's own reply must come before them.
    guard connection.link.isOpen, connection.server.isReady.contains(.reading), connection.server.socket >= 0,
      !connection.isGone, !connection.server.hasEnded,
      let link = connection.link.number, connection.down.bytes.arrived < Self.mostWaiting
    else { return false }
    let room = min(network.room(.down, on: link), Int64(scratch.count))
    guard room > 0 else { return false }
    let place = UnsafeMutableRawBufferPointer(rebasing: scratch[..<Int(room)])
    switch system.read(connection.server.socket, into: place) {
    case .bytes(let count):
      hearServer(connection, UnsafeMutableRawBufferPointer(rebasing: place[..<count]))
      return true
    case .nothing:
      connection.server.isReady.remove(.reading)
    case .end:
      connection.server.hasEnded = true
      serverEnded(connection)
      return true
    case .broken:
      connection.server.hasEnded = true
      network.abort(link)
    }
    return false
  }

  // MARK: Handing over

  func send(_ bytes: UnsafeRawBufferPointer, _ connection: ProxyConnection) {
    guard let link = connection.link.number, !bytes.isEmpty else { return }
    guard connection.link.isOpen else {
      connection.link.early.append(Array(bytes))
      return
    }
    let isThere = network.write(Int64(bytes.count), .up, on: link)
    if isThere, connection.up.bytes.isEmpty, connection.server.socket >= 0, connection.exchange.ownAnswer == nil,
      connection.toxics.effects[.up] == nil
    {
      connection.receivedByServer += Int64(bytes.count)
      if let rest = writeNow(bytes, connection.server.socket, &connection.server.isReady) {
        connection.up.bytes.append(rest)
        connection.up.bytes.release(Int64(rest.count))
      }
    } else {
      connection.up.bytes.append(bytes)
      if isThere { arrivedAtServer(Int64(bytes.count), connection) }
    }
  }

  func answer(_ bytes: UnsafeRawBufferPointer, _ connection: ProxyConnection) {
    guard let link = connection.link.number, !bytes.isEmpty else { return }
    let isThere = network.write(Int64(bytes.count), .down, on: link)
    if isThere, connection.down.bytes.isEmpty, connection.toxics.effects[.down] == nil {
      if let rest = writeNow(bytes, connection.client.socket, &connection.client.isReady) {
        connection.down.bytes.append(rest)
        connection.down.bytes.release(Int64(rest.count))
      }
    } else {
      connection.down.bytes.append(bytes)
      if isThere { connection.down.bytes.release(Int64(bytes.count)) }
    }
  }

  func tell(_ connection: ProxyConnection, _ bytes: [UInt8]) {
    connection.down.bytes.append(bytes)
    connection.down.bytes.release(Int64(bytes.count))
  }

  /// Writes as many bytes as the socket takes, and returns the rest; `nil` when all were written.
  private func writeNow(
    _ bytes: UnsafeRawBufferPointer, _ socket: Int32, _ ready: inout ReadinessChange
  ) -> UnsafeRawBufferPointer? {
    guard ready.contains(.writing) else { return bytes }
    let count = if case .bytes(let count) = system.write(socket, bytes) { count } else { 0 }
    guard count < bytes.count else { return nil }
    ready.remove(.writing)
    return UnsafeRawBufferPointer(rebasing: bytes[count...])
  }

  private func flush(_ connection: ProxyConnection) {
    if connection.server.socket >= 0, connection.up.bytes.arrived > 0, connection.server.isReady.contains(.writing) {
      let limit = connection.toxics.allowance(.up, at: network.time)
      let (count, stop) = connection.up.bytes.write(atMost: limit) { system.write(connection.server.socket, $0) }
      passed(count, .up, connection)
      switch stop {
      case .bytes, nil: break
      case .full: connection.server.isReady.remove(.writing)
      case .broken:
        connection.up.bytes.discardArrived()
        if let link = connection.link.number { network.abort(link) }
      }
    }
    if connection.down.bytes.arrived > 0, connection.client.isReady.contains(.writing) {
      let limit = connection.toxics.allowance(.down, at: network.time)
      let (count, stop) = connection.down.bytes.write(atMost: limit) { system.write(connection.client.socket, $0) }
      passed(count, .down, connection)
      switch stop {
      case .bytes, nil: break
      case .full: connection.client.isReady.remove(.writing)
      case .broken: return close(connection, resetting: true)
      }
    }
    if connection.up.hasEnded, connection.up.bytes.arrived == 0, !connection.up.isClosed, connection.server.socket >= 0
    {
      connection.up.isClosed = true
      system.endWriting(connection.server.socket)
    }
    if connection.down.hasEnded || connection.stage == .leaving, connection.down.bytes.arrived == 0,
      !connection.down.isClosed
    {
      connection.down.isClosed = true
      system.endWriting(connection.client.socket)
    }
  }

  private func finishIfOver(_ connection: ProxyConnection) {
    guard !connection.isGone else { return }
    if connection.stage == .leaving {
      if connection.client.hasEnded, connection.down.isClosed { close(connection) }
    } else if connection.down.isClosed {
      if connection.up.isClosed || connection.up.hasEnded && connection.server.socket < 0 { return close(connection) }
      if !connection.isTunnel, connection.deadline == nil { connection.deadline = uptime + Self.closeDelay }
    }
  }
}

/// Hands servers and clients what has arrived.
extension PathSimulator {
  /// Says what the server has read of a request, and lets it react.
  mutating func reportRequest(_ portion: Conveyor.Portion, _ slot: Int32) {
    guard isServed(slot) else { return }
    let read = streams[slot].up.read
    // A segment may bring more than the server is to have before the reset.
    let limit = streams.faults(slot)?.resetUp ?? .max
    let resets = read >= limit
    if portion.payload > 0, limit > 0 { reportUploaded(min(read, limit), slot) }
    if portion.isLast, read <= limit { report(.requestReceived, stream: slot) }
    if resets || streams[slot].isAborted {
      streams[slot].isAborted = true
      abortNow(slot, byDecree: resets)
    } else if portion.isLast, streams[slot].down.isComplete {
      settle(slot)
    }
  }

  /// Reports the progress of an upload; what happens at one instant is reported once.
  private mutating func reportUploaded(_ total: Int64, _ slot: Int32) {
    if let last = events.last, case .uploaded = last.kind, last.time.nanoseconds == time,
      last.stream?.number == streams[slot].number
    {
      events[events.count - 1].kind = .uploaded(total: total)
    } else {
      report(.uploaded(total: total), stream: slot)
    }
  }

  /// Hands the client what it may have, and ends the request when it has everything.
  @inline(__always)
  mutating func settle(_ slot: Int32) {
    if streams[slot].plan != nil {
      settleWithFaults(slot)
      return
    }
    reportReceived(streams[slot].down.read, slot)
    if streams[slot].isAnswered { return finish(slot) }
    if streams[slot].use != .pooled, streams[slot].down.isComplete { tellEnd(slot) }
  }

  private mutating func settleWithFaults(_ slot: Int32) {
    let read = streams[slot].down.read
    let stall = streams.faults(slot)?.stalls.last
    reportReceived(min(read, stall?.after ?? .max), slot)
    let isOver = streams[slot].use == .pooled ? streams[slot].isAnswered : streams[slot].down.isComplete
    if isOver, streams[slot].delivered == read {
      if streams[slot].isEndTold { return finish(slot) }
      guard let delay = streams.faults(slot)?.slowClose, delay > 0 else {
        finish(slot)
        return
      }
      // The client's own end, which may come meanwhile, puts the server's off no further.
      if streams[slot].wakeAt == .max { wake(slot, after: delay) }
    } else if let stall, read >= stall.after, streams.faults(slot)?.isStalled == false {
      streams[slot].plan?.isStalled = true
      if stall.duration < .max { wake(slot, after: stall.duration) }
    }
  }

  private mutating func wake(_ slot: Int32, after delay: Int64) {
    streams[slot].wakeAt = time.saturatingAdd(delay)
    arm(.stream, slot, at: streams[slot].wakeAt)
  }

  /// Reports a response up to so many bytes; what happens at one instant is reported once.
  @inline(__always)
  private mutating func reportReceived(_ total: Int64, _ slot: Int32) {
    let count = total - streams[slot].delivered
    guard count > 0 else { return }
    streams[slot].delivered = total
    if let last = events.last, case .received(let before) = last.kind,
      last.time.nanoseconds == time,
      last.stream?.number == streams[slot].number
    {
      events[events.count - 1].kind = .received(count: before + count)
    } else {
      report(.received(count: count), stream: slot)
    }
  }

  /// The client knows that no more will come, while it may still speak.
  private mutating func tellEnd(_ slot: Int32) {
    guard !streams[slot].isEndTold else { return }
    streams[slot].isEndTold = true
    report(.responseReceived, stream: slot)
  }

  /// The client has read the whole response.
  mutating func finish(_ slot: Int32) {
    tellEnd(slot)
    guard streams[slot].isAnswered else { return }
    end(slot, closing: streams[slot].persistence != .kept, resetting: !streams[slot].up.isComplete)
  }
}

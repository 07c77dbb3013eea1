extension PathSimulator {
  /// Reports what the server has read of a request, and applies faults that strike there.
  mutating func reportRequest(_ portion: FramingQueue.Portion, _ slot: Int32) {
    guard isServed(slot) else { return }
    let read = streams[slot].up.read
    // A segment may bring more than the limit after which the fault resets.
    let limit = streams.faults(slot)?.resetUp ?? .max
    let resets = read >= limit
    if portion.payload > 0, limit > 0 { reportUploaded(min(read, limit), slot) }
    if portion.isLast, read <= limit { report(.requestReceived, stream: slot) }
    if resets || streams[slot].isAborted {
      streams[slot].isAborted = true
      abortNow(slot, isFault: resets)
    } else if portion.isLast, streams[slot].down.isComplete {
      settle(slot)
    }
  }

  /// Reports an upload's progress; progress at one instant becomes one event.
  private mutating func reportUploaded(_ total: Int64, _ slot: Int32) {
    if let last = events.last, case .uploaded = last.kind, last.time.nanoseconds == time,
      last.stream?.number == streams[slot].number
    {
      events[events.count - 1].kind = .uploaded(total: total)
    } else {
      report(.uploaded(total: total), stream: slot)
    }
  }

  /// Reports received bytes of a response to the client, and ends the request when all has arrived.
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
      // A timer that is already set stays: the end of the client's upload must not postpone it.
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

  /// Reports that the client received a response up to `total` bytes; bytes at one instant become one event.
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

  /// Reports to the client once that the response is complete; the client may still be sending.
  private mutating func tellEnd(_ slot: Int32) {
    guard !streams[slot].isEndTold else { return }
    streams[slot].isEndTold = true
    report(.responseReceived, stream: slot)
  }

  /// Ends a request whose response the client has read completely.
  mutating func finish(_ slot: Int32) {
    tellEnd(slot)
    guard streams[slot].isAnswered else { return }
    end(slot, closing: streams[slot].persistence != .kept, resetting: !streams[slot].up.isComplete)
  }
}

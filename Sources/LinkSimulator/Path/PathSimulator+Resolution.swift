extension PathSimulator {
  /// Looks a host's name up for a request, or tells it what is known.
  mutating func resolve(_ slot: Int32) {
    let fails = streams[Int(slot)].plan?.failsResolution ?? false
    let pool = Int(streams[Int(slot)].pool)
    let index = fails ? makeLookup(pools[pool].key.host, fails: true) : Int(pools[pool].resolver)
    if lookups[index].state == .known {
      report(.resolved(cached: true), stream: slot)
      assign(slot)
      return
    }
    streams[Int(slot)].state = .resolving
    lookups[index].waiting.append(handle(slot))
    if lookups[index].state == .idle {
      lookups[index].state = .asking
      lookups[index].attempts = 0
      ask(index)
    }
  }

  /// Makes a look-up; those that fail by decree are asked apart, since nothing else may learn from them.
  mutating func makeLookup(_ host: String, fails: Bool) -> Int {
    let flow = makeFlow(seed.keyed(by: "dns").keyed(by: host).keyed(by: fails ? UInt64(lookups.count) : 0))
    name(flow, origin: PacketName.lookupPrefix + host, connection: fails ? lookups.count : 0)
    let size = 20 + 8 + 12 + min(host.utf8.count, 253) + 2 + 4
    lookups.append(NameLookup(questionSize: Int32(size), flow: flow, fails: fails))
    return lookups.count - 1
  }

  private mutating func ask(_ index: Int) {
    lookups[index].attempts += 1
    lookups[index].deadline = time.saturatingAdd(NameLookup.patience)
    arm(.lookup, index, at: lookups[index].deadline)
    up.send(
      Packet(kind: .query, owner: Int32(index), flow: lookups[index].flow, size: lookups[index].questionSize), at: time)
  }

  /// The question has reached the resolver.
  mutating func questionArrived(_ index: Int) {
    let delay = conditions.dnsDelay.wholeNanoseconds
    lookups[index].answersAt = time.saturatingAdd(delay)
    if delay == 0 {
      answerTimerFired(index, at: time)
    } else {
      arm(.answer, index, at: lookups[index].answersAt)
    }
  }

  mutating func answerTimerFired(_ index: Int, at due: Int64) {
    guard lookups[index].answersAt == due else { return }
    lookups[index].answersAt = .max
    down.send(
      Packet(kind: .answer, owner: Int32(index), flow: lookups[index].flow, size: lookups[index].answerSize), at: time)
  }

  /// The answer has reached the client.
  mutating func answerArrived(_ index: Int) {
    guard lookups[index].state == .asking else { return }
    lookups[index].deadline = .max
    lookups[index].state = lookups[index].fails ? .idle : .known
    let waiting = lookups[index].waiting
    lookups[index].waiting = []
    for waiter in waiting {
      guard let slot = slot(of: waiter, in: .resolving) else { continue }
      if lookups[index].fails {
        fail(slot, .resolutionFailed)
      } else {
        report(.resolved(cached: false), stream: slot)
        assign(slot)
      }
    }
  }

  mutating func lookupTimerFired(_ index: Int, at due: Int64) {
    guard lookups[index].state == .asking, lookups[index].deadline == due else { return }
    if lookups[index].attempts <= NameLookup.repetitions {
      ask(index)
      return
    }
    lookups[index].state = .idle
    lookups[index].deadline = .max
    let waiting = lookups[index].waiting
    lookups[index].waiting = []
    for waiter in waiting {
      if let slot = slot(of: waiter, in: .resolving) { fail(slot, .resolutionTimedOut) }
    }
  }
}

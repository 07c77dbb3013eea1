/// An action that is carried out after the network's lock is released.
enum Effect: Sendable {
  /// Tell the listeners the events that wait for them.
  case announce([EventListener])
  /// Tell a client that there is output.
  case tell(any ExchangeSink, Int)
  /// Wake a sleeper whose time has come.
  case wake(Sleeper)
  /// Run work that was asked for at this time.
  case call(@Sendable () -> Void)
  /// Have the transport answer, or the reply's own.
  case respond(Reply)
  /// Show the transport a request that is not whole, of this exchange and hop.
  case hear(Int, hop: Int)
  /// Tell the transport of a request that never was.
  indirect case miss(TransportRequest, received: Int64, of: Int64?)
  /// Run work that a transport asked for.
  case run(@Sendable () -> Void)
  /// Run work that a transport asked for at a later time, inside the loop.
  case resume(Reply, @Sendable () -> Void)
  /// Keep a redirect's cookies, and send its request.
  indirect case follow(Redirect)
  /// Tell a server that its exchange is over: it runs what it asked for, unless its client has all that it will get.
  case close(Reply, hasAll: Bool)
  /// Let bytes of a body go that nobody takes.
  case skip(GivenBody, Int64)
  /// Release closures that nobody will run: they may hold objects of a user's, whose deinitializers are code of the
  /// user's.
  case discard([@Sendable () -> Void])

  /// Whether time may not go on before it is done.
  fileprivate var holdsTime: Bool {
    switch self {
    case .respond, .hear, .resume, .follow: true
    default: false
    }
  }
}

/// The effects of what has happened, in the order in which they are to be carried out.
struct EffectList {
  private var effects: [Effect] = []
  /// An empty list, whose memory is used for the next.
  private var spare: [Effect] = []
  /// Whether one of them must be carried out before time may go on.
  private(set) var holdsTime = false

  var isEmpty: Bool { effects.isEmpty }

  mutating func append(_ effect: consuming Effect) {
    if effect.holdsTime { holdsTime = true }
    effects.append(effect)
  }

  /// Adds an effect that tells of a request that a server has seen in part, before all others: it is known before any
  /// client hears of anything.
  mutating func appendSeen(_ effect: Effect) {
    let place = effects.firstIndex { if case .miss = $0 { false } else { true } }
    effects.insert(effect, at: place ?? effects.endIndex)
  }

  /// Moves all of them into an empty list, whose memory is used for the next.
  mutating func takeAll(into list: inout [Effect]) {
    holdsTime = false
    swap(&effects, &list)
    if effects.capacity == 0 { swap(&effects, &spare) }
  }

  /// Keeps the memory of an empty list, if there is none.
  mutating func giveBack(_ list: inout [Effect]) {
    if effects.capacity == 0 { swap(&effects, &list) } else if spare.capacity == 0 { swap(&spare, &list) }
  }
}

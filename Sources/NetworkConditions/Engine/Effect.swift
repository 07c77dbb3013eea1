/// An action that the engine carries out after it has released the network's lock.
enum Effect: Sendable {
  /// Tells listeners their pending events.
  case announce([EventListener])
  /// Tells a client that there is output.
  case tell(any ExchangeSink, Int)
  case wake(Sleeper)
  case call(@Sendable () -> Void)
  /// Asks the stubs for the answer, unless an early one was taken.
  case respond(Reply)
  /// Offers an incomplete request, given by its exchange and hop, to the stubs, which may answer early.
  case headersArrived(Int, hop: Int)
  /// Tells the stubs of a request that ended before it was complete.
  indirect case abandoned(TransportRequest, received: Int64, of: Int64?)
  case run(@Sendable () -> Void)
  /// Runs work that a transport scheduled with a delay, inside the engine's loop.
  case resume(Reply, @Sendable () -> Void)
  /// Stores a redirect's cookies and sends its request.
  indirect case follow(PreparedRedirect)
  /// Ends a server's exchange; unless the client has the whole answer, the server's cancellation handler runs.
  case close(Reply, hasAll: Bool)
  /// Drops bytes of a body that no client will read.
  case skip(GivenBody, Int64)
  /// Releases closures that will not run: they may hold a user's objects, whose deinitializers run the user's code.
  case discard([@Sendable () -> Void])

  /// Whether time stands still until the effect is carried out.
  fileprivate var holdsTime: Bool {
    switch self {
    case .respond, .headersArrived, .resume, .follow: true
    default: false
    }
  }
}

struct EffectList {
  private var effects: [Effect] = []
  /// An empty list whose memory the next use takes over.
  private var spare: [Effect] = []
  private(set) var holdsTime = false

  var isEmpty: Bool { effects.isEmpty }

  mutating func append(_ effect: consuming Effect) {
    if effect.holdsTime { holdsTime = true }
    effects.append(effect)
  }

  /// Inserts an ``Effect/abandoned(_:received:of:)`` before all other effects, so that the transport is notified before
  /// any client.
  mutating func appendSeen(_ effect: Effect) {
    let place = effects.firstIndex { if case .abandoned = $0 { false } else { true } }
    effects.insert(effect, at: place ?? effects.endIndex)
  }

  /// Moves all effects into an empty list and keeps that list's memory for the next.
  mutating func takeAll(into list: inout [Effect]) {
    holdsTime = false
    swap(&effects, &list)
    if effects.capacity == 0 { swap(&effects, &spare) }
  }

  /// Keeps the memory of an empty list for the next effects.
  mutating func giveBack(_ list: inout [Effect]) {
    if effects.capacity == 0 { swap(&effects, &list) } else if spare.capacity == 0 { swap(&spare, &list) }
  }
}

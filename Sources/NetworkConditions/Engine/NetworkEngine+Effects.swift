import ClientCapture

extension NetworkEngine {
  /// Hands the idle network to its time source; if `rest` is `nil`, carries out the pending effects first.
  func restOrPump(_ rest: NetworkRest?) {
    if let rest { timeSource.networkRests(rest) } else { pump() }
  }

  /// Runs the network up to the present time and carries out its effects, until none are left.
  ///
  /// - Parameters:
  ///   - exchange: an exchange whose timeouts start at the end of this call.
  ///   - takesAtOnce: whether to return the exchange's first output instead of telling its client.
  @discardableResult
  func pump(watching exchange: Int? = nil, takesAtOnce: Bool = false) -> ExchangeOutput? {
    var output: ExchangeOutput?
    var mustTake = false
    var effects: [Effect] = []
    while true {
      let rest = locked { state -> NetworkRest? in
        let isBehind = state.run(until: timeSource.now ?? state.time)
        if mustTake, let exchange { output = state.take(exchange) }
        if state.hasEffects {
          state.takeEffects(into: &effects)
          return nil
        }
        if isBehind { return nil }
        if let exchange { state.watchTimeouts(of: exchange) }
        state.effects.giveBack(&effects)
        return state.rest
      }
      if mustTake {
        mustTake = false
        output?.complete()
      }
      if let rest {
        timeSource.networkRests(rest)
        return output
      }
      for effect in effects {
        if takesAtOnce, output == nil, case .tell(_, let id) = effect, id == exchange {
          mustTake = true
        } else {
          perform(effect)
        }
      }
      // Without the lock: effects hold a user's objects.
      effects.removeAll(keepingCapacity: true)
    }
  }

  func perform(_ effect: Effect) {
    switch effect {
    case .announce(let listeners): for listener in listeners { tell(listener) }
    case .tell(let sink, let id): sink.exchangeHasOutput(id)
    case .wake(let sleeper): sleeper.wake()
    case .call(let work): work()
    case .run(let work): timeSource.perform(work)
    case .respond(let reply): respond(reply)
    case .headersArrived(let id, let hop):
      guard let request = locked({ $0.beginHeadDelivery(id, hop: hop) }) else { break }
      let early = stubs.earlyAnswer(to: request)
      locked { $0.endHeadDelivery(id, hop: hop, early) }
    case .abandoned(let request, let received, let expected):
      stubs.abandoned(request, received: received, of: expected)
    case .resume(let reply, let work):
      timeSource.perform {
        reply.inline(work)
        self.pump()
      }
    case .follow(var redirect):
      redirect.prepare()
      locked { [redirect] in $0.followed(redirect) }
    case .close(let reply, let hasAll):
      let work = reply.close()
      if !hasAll, let work { timeSource.perform(work) }
    case .skip(let body, let count): body.read(count)
    case .discard: break
    }
  }

  private func respond(_ reply: Reply) {
    let (request, early) = (reply.request, reply.early)
    if early == nil, reply.inline({ stubs.respondImmediately(to: request, with: reply) }) { return }
    timeSource.perform {
      RealTime.scope {
        reply.inline {
          if let early {
            early.route.answer(request, with: reply, taken: early.answer)
          } else {
            self.stubs.respond(to: request, with: reply)
          }
        }
      }
      self.pump()
    }
  }
}

import Internals
import NetworkConditions
import PlantedClients
import URLLoading

extension PlantedClient {
  // MARK: Mail

  /// A user opens the mail and stays signed in.
  @Sendable static func readMail(_ network: SimulatedNetwork) async throws {
    let server = MailServer()
    network.stub(.get, "http://api.example.com/mail", with: .json(#"[{"id":1,"subject":"Hello"}]"#))
    network.stub(.get, "http://api.example.com/calendar", with: .json(#"[{"title":"Lunch","hour":12}]"#))
    network.stub(.post, "http://api.example.com/token", with: .handler { server.renew($0) })
    let client = MailSession(
      base: PlantedServer.plain, tokens: TokenPair(access: "a0", refresh: "r0"), clock: network.clock,
      send: PlantedServer.send(network))
    _ = try? await client.overview()
    try need(!server.isRevoked, "signed out by its own renewal")
  }

  /// A server that accepts each refresh token once; reuse in another request counts as theft.
  private final class MailServer: Sendable {
    private struct State {
      var count = 0
      var isRevoked = false
      /// The request that used the last token.
      var request: String?
    }
    private let state = Mutex(State())

    var isRevoked: Bool { state.withLock(\.isRevoked) }

    func renew(_ request: URLRequest) -> StubResponse {
      guard let token = request.json([String: String].self)?["refresh"],
        let id = request.value(forHTTPHeaderField: "X-Request-ID")
      else { return .status(400) }
      return state.withLock { state in
        if state.isRevoked { return .status(403) }
        if token == "r\(state.count)" {
          state.count += 1
          state.request = id
        } else if token != "r\(state.count - 1)" || id != state.request {
          state.isRevoked = true
          return .status(403)
        }
        return .json(TokenPair(access: "a\(state.count)", refresh: "r\(state.count)"))
      }
    }
  }

  // MARK: Tickets

  /// A user buys tickets: if nothing was bought, nothing is charged and the seats are free.
  @Sendable static func buyTickets(_ network: SimulatedNetwork) async throws {
    let server = TicketServer()
    network.stub(.post, "http://api.example.com/reservations", with: .handler { server.reserve($0) })
    network.stub(.post, "http://api.example.com/payments", with: .handler { server.pay($0) })
    network.stub(.post, "http://api.example.com/tickets", with: .handler { server.issue($0) })
    network.stub(.post, "http://api.example.com/payments/*/refund", with: .handler { server.refund($0) })
    network.stub(.post, "http://api.example.com/reservations/*/release", with: .handler { server.release($0) })
    let client = TicketCheckout(base: PlantedServer.plain, clock: network.clock, send: PlantedServer.send(network))
    let basket = Basket(order: "o1", seats: ["A1", "A2"], cents: 4_000, card: "4711")
    let state: TicketServer.State
    switch await client.buy(basket) {
    case .bought:
      state = server.state
      try need(state.isPaid && state.isReserved && state.isIssued, "tickets for nothing")
    case .cancelled:
      state = server.state
      try need(!state.isPaid, "cancelled, and paid")
      try need(!state.isReserved, "cancelled, and the seats are taken")
    case .unclear:
      state = server.state
    }
    try need(state.charges <= 1, "paid twice")
  }

  private final class TicketServer: Sendable {
    struct State {
      var isReserved = false
      var isPaid = false
      var isIssued = false
      var charges = 0
      fileprivate var answers = AnswersByKey()
    }
    private let current = Mutex(State())

    var state: State { current.withLock { $0 } }

    private func once(_ request: URLRequest, _ work: (inout State) -> StubResponse) -> StubResponse {
      current.withLock { state in
        // A copy, so that `work` may change the rest of the state.
        var answers = state.answers
        let answer = answers.answer(request.key) { work(&state) }
        state.answers = answers
        return answer
      }
    }

    func reserve(_ request: URLRequest) -> StubResponse {
      once(request) { state in
        state.isReserved = true
        return .json(#"{"id":"res1","cents":4000}"#)
      }
    }

    func pay(_ request: URLRequest) -> StubResponse {
      once(request) { state in
        guard state.isReserved else { return .status(409) }
        state.isPaid = true
        state.charges += 1
        return .json(#"{"id":"pay1"}"#)
      }
    }

    func issue(_ request: URLRequest) -> StubResponse {
      once(request) { state in
        guard state.isReserved, state.isPaid else { return .status(409) }
        state.isIssued = true
        return .json([Ticket(seat: "A1", code: 7), Ticket(seat: "A2", code: 8)])
      }
    }

    /// Refunds the payment and voids the tickets.
    func refund(_ request: URLRequest) -> StubResponse {
      once(request) { state in
        state.isPaid = false
        state.isIssued = false
        return .status(204)
      }
    }

    func release(_ request: URLRequest) -> StubResponse {
      once(request) { state in
        if state.isPaid { return .status(409) }
        state.isReserved = false
        return .status(204)
      }
    }
  }

  // MARK: Chat

  /// A user writes to a room: after the room responds, the screen shows the user's stored messages.
  @Sendable static func chat(_ network: SimulatedNetwork) async throws {
    let server = RoomServer()
    network.stub(.post, "http://api.example.com/messages", with: .handler { server.post($0) })
    network.stub(.get, "http://api.example.com/messages", with: .handler { server.page($0).after(.milliseconds(500)) })
    network.stub(.get, "http://api.example.com/history", with: .handler { server.page($0) })
    let client = ChatRoom(
      base: PlantedServer.plain, author: "ann", clock: network.clock, send: PlantedServer.send(network))
    await client.write("hello")
    guard await client.poll() else { return }
    let shown = await client.shown
    let own = server.messages.filter { $0.author == "ann" }
    try need(own.count <= 1, "said twice")
    try need(own.allSatisfy { message in shown.contains { $0.tag == message.tag } }, "said, and not shown")
    try need(Set(shown.map(\.tag)).count == shown.count, "shown twice")
  }

  private final class RoomServer: Sendable {
    private let stored = Mutex([ChatMessage(number: 1, tag: "bea-1", author: "bea", text: "hi")])

    var messages: [ChatMessage] { stored.withLock { $0 } }

    func post(_ request: URLRequest) -> StubResponse {
      guard var message = request.json(ChatMessage.self) else { return .status(400) }
      return stored.withLock { stored in
        if let known = stored.first(where: { $0.tag == message.tag }), let number = known.number {
          return .json(#"{"number":\#(number)}"#)
        }
        message.number = stored.count + 1
        stored.append(message)
        return .json(#"{"number":\#(stored.count)}"#)
      }
    }

    func page(_ request: URLRequest) -> StubResponse {
      struct Page: Encodable {
        let messages: [ChatMessage]
        let next: Int
      }
      let after = request.query("after").flatMap { Int($0) } ?? 0
      return stored.withLock { .json(Page(messages: Array($0.dropFirst(after)), next: $0.count)) }
    }
  }
}

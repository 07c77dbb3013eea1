import LinkSimulator
import Testing
import URLLoading

@testable import NetworkConditions

/// Connections of other programs, whose owner says when requests and answers begin and end.
///
/// Each way takes 50 ms, and nothing else takes time.
struct ProxiedNetworkTests {
  /// The network with its owner, which writes at once and collects all news.
  private struct Owner {
    var network: ProxiedNetwork
    private(set) var news: [ProxiedNetwork.News] = []
    private var link: Int?

    init(_ profile: NetworkProfile) {
      network = ProxiedNetwork(profile: profile, seed: 1)
    }

    mutating func run(_ duration: Duration) {
      let end = network.time.advanced(by: duration)
      repeat {
        network.advance(to: end)
        news += network.takeNews()
      } while network.time < end
    }

    /// Begins a request on the connection, and opens it first if there is none.
    mutating func begin(head: Int64 = 0, body: Int64 = 0) -> (exchange: Int, link: Int) {
      let asked = URLRequest(url: url("http://10.0.0.1/"))
      let exchange = network.begin(asked, head: head, body: body).number
      if let link {
        network.reuse(link, for: exchange)
        return (exchange, link)
      }
      let link = network.open(for: exchange, host: "10.0.0.1", port: 80)
      self.link = link
      run(.milliseconds(100))
      return (exchange, link)
    }

    /// Writes a whole request.
    mutating func ask(head: Int64, body: Int64) -> (exchange: Int, link: Int) {
      let (exchange, link) = begin(head: head, body: body)
      network.write(head + body, .up, on: link)
      network.requestEnds(exchange)
      run(.milliseconds(50))
      return (exchange, link)
    }

    /// Writes a whole answer.
    mutating func answer(_ exchange: Int, on link: Int, head: Int64 = 0, body: Int64, endsWithConnection: Bool = false)
    {
      network.answerBegins(exchange, status: 200, head: head, body: body, endsWithConnection: endsWithConnection)
      network.write(head + body, .down, on: link)
      if !endsWithConnection { network.answerEnds(exchange) }
      run(.milliseconds(50))
    }

    var transfers: [Transfer] {
      mutating get { network.snapshot().transfers }
    }

    /// How many bytes of a direction have arrived.
    func arrived(_ direction: Direction) -> Int64 {
      news.reduce(0) { sum, news in
        if case .arrived(_, direction, let count) = news { sum + count } else { sum }
      }
    }
  }

  private static func profile(_ faults: [FaultRule] = [], phases: [NetworkProfile.Phase] = []) -> NetworkProfile {
    NetworkProfile(name: "delay", base: conditions, phases: phases, faults: faults)
  }

  @Test func `the events of a new network begin with its first request, not with the conditions at its start`() {
    var network = ProxiedNetwork(profile: Self.profile(), seed: 1)
    network.observeEvents()
    _ = network.begin(URLRequest(url: url("http://10.0.0.1/")), head: 0, body: 0)
    #expect(network.takeEvents().map(\.kind) == [.started(method: "GET", url: "http://10.0.0.1/")])
    #expect(network.takeEvents().isEmpty)
  }

  @Test func `a failed handshake is left to the connection's owner, and holds up none of its bytes`() {
    let rule = FaultRule(.tlsFailure, probability: .percent(100))
    var network = ProxiedNetwork(profile: NetworkProfile(name: "failing", faults: [rule]), seed: 1)
    let start = network.begin(URLRequest(url: url("https://10.0.0.1/")), head: 0, body: 0)
    let link = network.open(for: start.number, host: "10.0.0.1", port: 443)
    network.advance(to: network.time)
    #expect(start.failsHandshake && network.write(10, .up, on: link))
  }

  private static var conditions: PathConditions {
    let link = LinkConditions(delay: .milliseconds(50))
    return PathConditions(down: link, up: link)
  }

  private static func time(_ instant: SimulatedInstant?) -> Duration? {
    instant.map { SimulatedInstant.zero.duration(to: $0) }
  }

  @Test func `an answer without a length is complete when the server closes its direction`() {
    var owner = Owner(Self.profile())
    let (exchange, link) = owner.ask(head: 100, body: 0)
    owner.network.answerBegins(exchange, status: 200, head: 80, body: nil, endsWithConnection: true)
    owner.network.write(280, .down, on: link)
    owner.run(.milliseconds(50))
    #expect(owner.transfers.map(\.outcome) == [.running])
    owner.network.write(0, .down, on: link, finishing: true)
    owner.run(.milliseconds(50))
    #expect(owner.transfers.map(\.outcome) == [.finished])
  }

  @Test func `the arrival of a request is reported once, even if its body arrives in several pieces`() {
    var owner = Owner(Self.profile())
    let (exchange, link) = owner.begin(head: 100, body: 40)
    for count in [60, 70, 10] as [Int64] {
      owner.network.write(count, .up, on: link)
      owner.run(.milliseconds(60))
    }
    owner.network.requestEnds(exchange)
    owner.run(.milliseconds(60))
    owner.answer(exchange, on: link, head: 80, body: 20)
    let asked = owner.news.filter { if case .asked = $0 { true } else { false } }
    #expect(asked.count == 1 && owner.arrived(.up) == 140)
  }
  @Test func `the rate of a response that arrives in pieces counts each byte once`() {
    var owner = Owner(Self.profile())
    let (exchange, link) = owner.ask(head: 100, body: 0)
    owner.network.answerBegins(exchange, status: 200, head: 80, body: 900, endsWithConnection: false)
    for count in [80 + 300, 600] as [Int64] {
      owner.network.write(count, .down, on: link)
      owner.run(.milliseconds(60))
    }
    #expect(owner.transfers[0].rate.bytes.filter { $0 > 0 } == [300, 600])
  }

  @Test func `each request on a connection counts only its own bytes and times`() throws {
    var owner = Owner(Self.profile())
    var last = 0
    for (body, answer) in [(300, 500), (40, 60)] as [(Int64, Int64)] {
      let (exchange, link) = owner.ask(head: 100, body: body)
      owner.answer(exchange, on: link, head: 80, body: answer)
      last = link
    }
    let transfers = owner.transfers
    #expect(transfers.map(\.outcome) == [.finished, .finished])
    #expect(transfers.map(\.bytesSent) == [300, 40] && transfers.map(\.bytesReceived) == [500, 60])
    #expect(transfers.map { Self.time($0.connected) } == [.milliseconds(100), .milliseconds(200)])
    #expect(transfers.map { Self.time($0.requestSent) } == [.milliseconds(100), .milliseconds(200)])
    #expect(transfers.map { Self.time($0.requestReceived) } == [.milliseconds(150), .milliseconds(250)])
    #expect(transfers.map { Self.time($0.firstByte) } == [.milliseconds(200), .milliseconds(300)])
    #expect(transfers.map(\.reusedConnection) == [false, true])
    for direction in [\StreamStatistics.up, \.down] {
      let counters = transfers.map { $0.wire[keyPath: direction] }
      #expect(counters[1].bytes < counters[0].bytes && counters[1].packets < counters[0].packets)
    }
    // A packet after the answer belongs to no request.
    owner.network.setOutage(.drop)
    owner.network.write(10, .down, on: last)
    owner.run(.milliseconds(10))
    let lost = owner.network.snapshot().events.filter { if case .packetLost = $0.kind { true } else { false } }
    #expect(!lost.isEmpty && lost.allSatisfy { $0.transfer == nil })
  }

  @Test func `bytes that follow an answer do not count as the first byte of the next one`() throws {
    var owner = Owner(Self.profile())
    let (first, link) = owner.ask(head: 100, body: 0)
    owner.answer(first, on: link, body: 500)
    owner.network.write(10, .down, on: link)
    let (second, _) = owner.ask(head: 100, body: 0)
    #expect(owner.transfers[1].firstByte == nil)
    owner.answer(second, on: link, body: 20)
    #expect(Self.time(owner.transfers[1].firstByte) == .milliseconds(300) && owner.transfers[1].bytesReceived == 20)
  }

  @Test func `packets of earlier requests are not part of a later request's statistics`() {
    var before = StreamStatistics()
    (before.up.packets, before.up.bytes, before.up.lost, before.up.retransmissions) = (1, 2, 3, 4)
    (before.down.packets, before.down.bytes, before.down.lost, before.down.retransmissions) = (5, 6, 7, 8)
    var later = StreamStatistics()
    (later.up.packets, later.up.bytes, later.up.lost, later.up.retransmissions) = (11, 22, 33, 44)
    (later.down.packets, later.down.bytes, later.down.lost, later.down.retransmissions) = (55, 66, 77, 88)
    let own = later.since(before)
    #expect((own.up.packets, own.up.bytes, own.up.lost, own.up.retransmissions) == (10, 20, 30, 40))
    #expect((own.down.packets, own.down.bytes, own.down.lost, own.down.retransmissions) == (50, 60, 70, 80))
  }

  @Test(arguments: [true, false])
  func `an answer cut off by the connection's close is complete only if the close marks its end`(ends: Bool) {
    var owner = Owner(Self.profile([FaultRule(.truncate(after: 30))]))
    let (exchange, link) = owner.ask(head: 100, body: 0)
    owner.answer(exchange, on: link, body: 200, endsWithConnection: ends)
    #expect(owner.transfers.map(\.bytesReceived) == [30])
    #expect(owner.transfers.map(\.outcome) == [ends ? .finished : .failed(.networkConnectionLost)])
  }

  @Test(arguments: Direction.allCases)
  func `a fault in the second request on a connection counts bytes from that request`(_ direction: Direction) {
    let fault = FaultRule(.reset(after: 30, direction: direction), match: RequestMatch(nth: 2))
    var owner = Owner(Self.profile([fault]))
    let (first, link) = owner.ask(head: 100, body: 0)
    owner.answer(first, on: link, body: 500)
    #expect((owner.arrived(.up), owner.arrived(.down)) == (100, 500))
    let (second, _) = owner.ask(head: 100, body: 0)
    owner.answer(second, on: link, body: 500)
    #expect(owner.transfers.map(\.outcome) == [.finished, .failed(.networkConnectionLost)])
    #expect(owner.arrived(direction) == (direction == .up ? 100 : 500) + 30)
  }

  /// Without a fault, bytes bypass an unlimited link, which then does not count them.
  @Test(arguments: Direction.allCases)
  func `a fault in the second request over an unlimited link counts bytes from that request`(_ direction: Direction) {
    let fault = FaultRule(.reset(after: 30, direction: direction), match: RequestMatch(nth: 2))
    var owner = Owner(NetworkProfile(name: "open", base: .unlimited, faults: [fault]))
    let (first, link) = owner.ask(head: 100, body: 0)
    owner.answer(first, on: link, body: 500)
    let (second, _) = owner.ask(head: 100, body: 0)
    owner.answer(second, on: link, body: 500)
    #expect(owner.transfers.map(\.outcome) == [.finished, .failed(.networkConnectionLost)])
    #expect(owner.arrived(direction) == 30)
    // Bytes written later count in the same way.
    var struck = Owner(NetworkProfile(name: "open", base: .unlimited))
    let (whole, open) = struck.ask(head: 100, body: 0)
    struck.answer(whole, on: open, body: 500)
    struck.network.strike([.reset(direction: .down, afterBytes: 30)], open)
    struck.network.write(500, .down, on: open)
    struck.run(.milliseconds(50))
    #expect(struck.arrived(.down) == 30)
  }

  @Test(arguments: [Self.conditions, .unlimited])
  func `a middlebox forgets an idle connection, also on an unlimited link`(_ conditions: PathConditions) {
    var profile = NetworkProfile(name: "router", base: conditions)
    profile.configuration.natTimeout = .seconds(5)
    var owner = Owner(profile)
    for pause in [3, 6] {
      let (exchange, link) = owner.ask(head: 100, body: 0)
      owner.answer(exchange, on: link, body: 500)
      owner.run(.seconds(pause))
    }
    _ = owner.ask(head: 100, body: 0)
    owner.run(.seconds(60))
    #expect(owner.transfers.map { $0.requestReceived != nil } == [true, true, false])
  }

  @Test func `the shorter of two idle limits applies`() {
    let rules = [5, 1, 3].map { FaultRule(.idleClose(after: .seconds($0))) }
    var owner = Owner(Self.profile(rules))
    let (exchange, _) = owner.ask(head: 100, body: 0)
    let answer = owner.network.answerBegins(exchange, status: 200, head: 80, body: 10, endsWithConnection: false)
    #expect(answer.idleLimit == .seconds(1))
  }

  @Test func `a transfer counts each time its sender stalls`() {
    var outage = Self.conditions
    outage.outage = .drop
    var owner = Owner(
      Self.profile(phases: [
        .init("open", for: .milliseconds(100), conditions: Self.conditions),
        .init("lost", for: .seconds(5), conditions: outage), .init("open again", conditions: Self.conditions),
      ]))
    let (exchange, link) = owner.ask(head: 100, body: 0)
    owner.run(.seconds(30))
    owner.answer(exchange, on: link, body: 500)
    let stalls = owner.network.snapshot().events.count { $0.kind == .stalled }
    #expect(stalls > 1 && owner.transfers.map(\.stalls) == [stalls])
  }

  @Test func `a path that changes its profile is in the phase of the whole network`() {
    func profile(_ name: String) -> NetworkProfile {
      Self.profile(phases: [
        .init("\(name) near", for: .seconds(10), conditions: Self.conditions),
        .init("\(name) far", conditions: .init(up: LinkConditions(delay: .seconds(2)))),
      ])
    }
    var owner = Owner(profile("main"))
    let path = owner.network.addPath(profile("old"))
    owner.run(.seconds(6))
    owner.network.use(profile("new"), on: path)
    owner.run(.seconds(6))
    let start = owner.network.begin(URLRequest(url: url("http://10.0.0.1/")), path: path, head: 100, body: 0)
    let link = owner.network.open(for: start.number, host: "10.0.0.1", port: 80)
    owner.network.write(100, .up, on: link)
    owner.run(.milliseconds(1_999))
    #expect(owner.arrived(.up) == 0)
    owner.run(.milliseconds(3_000))
    #expect(owner.arrived(.up) == 100)
  }

  @Test func `bytes do not overtake earlier bytes when the network becomes unlimited`() {
    var owner = Owner(Self.profile())
    let (_, link) = owner.ask(head: 100, body: 0)
    owner.network.write(500, .down, on: link)
    owner.run(.milliseconds(10))
    owner.network.use(.unlimited)
    let isThere = owner.network.write(20, .down, on: link)
    #expect(!isThere && owner.arrived(.down) == 0)
    owner.run(.milliseconds(100))
    #expect(owner.arrived(.down) == 520)
    let isThereNow = owner.network.write(20, .down, on: link)
    #expect(isThereNow)
  }
}

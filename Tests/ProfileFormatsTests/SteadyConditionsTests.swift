import LinkSimulator
import NetworkConditions
import Testing

@testable import ProfileFormats

struct SteadyConditionsTests {
  private static func link(
    _ rate: Bandwidth? = nil, loss: LossModel = .none, queue: Int = LinkConditions.defaultQueue, jitter: Jitter? = nil,
    reorders: Bool = false
  ) -> LinkConditions {
    var link = LinkConditions(rate: rate, delay: .milliseconds(5), jitter: jitter, loss: loss, queue: queue)
    link.reorders = reorders
    return link
  }

  private static let mega = Bandwidth.megabitsPerSecond(1)

  @Test(
    arguments: [
      (link(.zero), LinkAbilities(), link(loss: .independent(.one)), ["x.rate"]),
      (link(.zero), LinkAbilities(zeroRate: true), link(.zero), []),
      (link(.zero), LinkAbilities(loss: false), link(), ["x.rate"]),
      (link(mega, queue: 50), LinkAbilities(), link(mega), ["x.queue"]), (link(queue: 50), LinkAbilities(), link(), []),
      (link(mega, queue: 50), LinkAbilities(queue: true), link(mega, queue: 50), []),
      (link(loss: .independent(.percent(2))), LinkAbilities(loss: false), link(), ["x.loss"]),
      (link(loss: .independent(.percent(2))), LinkAbilities(), link(loss: .independent(.percent(2))), []),
      (
        link(loss: .bursts(GilbertElliott(goodToBad: .percent(5), badToGood: .percent(20)))), LinkAbilities(),
        link(loss: .independent(.percent(20))), ["x.loss"]
      ),
      (link(jitter: Jitter(.normal, spread: .milliseconds(1)), reorders: true), LinkAbilities(), link(), ["x.jitter"]),
    ] as [(LinkConditions, LinkAbilities, LinkConditions, [String])])
  func `exporting leaves out parts of a link that the format cannot hold, and lists each`(
    link: LinkConditions, abilities: LinkAbilities, written: LinkConditions, lost: [String]
  ) {
    var losses = LossList()
    #expect(abilities.reduced(link, "x", &losses) == written)
    #expect(losses.losses.map(\.subject) == lost)
  }

  @Test func `exporting shortens delays above a year to a year, and replaces a trace by its mean rate`() throws {
    let trace = try #require(DeliveryTrace(offsets: [0], period: .milliseconds(1)))
    let year = Duration.longest
    var conditions = PathConditions(
      down: LinkConditions(delay: year + .nanoseconds(1), trace: trace), up: LinkConditions(delay: year),
      dnsDelay: year * 2)
    conditions.udp = .blocked
    conditions.device.isConstrained = true
    var losses = LossList()
    let written = SteadyConditions.bounded(conditions, &losses)
    #expect(written.down.delay == year && written.up.delay == year && written.dnsDelay == year)
    #expect(written.down.rate == .megabitsPerSecond(12) && written.down.trace == nil)
    #expect(written.udp == .open && written.device == DeviceConditions())
    #expect(losses.losses.map(\.subject) == ["down.trace", "udp", "device", "down.delay", "dns.delay"])
  }

  @Test func `a round trip is split into two delays, and the download gets an odd nanosecond`() {
    var conditions = PathConditions()
    conditions.setRoundTrip(3)
    #expect(conditions.down.delay == .nanoseconds(2) && conditions.up.delay == .nanoseconds(1))
  }

  @Test func `a list of losses has each loss once, and says how many are missing beyond 100`() {
    var losses = LossList()
    for number in 0..<150 {
      losses.add("\(number)", "lost")
      losses.add("\(number)", "lost")
    }
    #expect(losses.losses.map(\.subject) == (0..<100).map { "\($0)" } + ["more"])
    for (count, end) in [(20, "19: lost"), (21, "19: lost; and 1 more")] {
      let profile = ImportedProfile(.unlimited, from: NetemFormat(), losses: Array(losses.losses.prefix(count))).profile
      #expect(
        profile.source.hasSuffix("; \(end)") && profile.source.hasPrefix("imported from netem; left out: 0: lost; "))
    }
  }
}

import FailureSearch
import NetworkConditions
import Testing

@testable import NetworkConditionsTesting

/// What a trait's arguments, and their defaults, ask for.
struct TraitArgumentsTests {
  /// A course's settings, in one form for all four kinds.
  private struct Settings: Equatable {
    var clients = 1
    var capture = CaptureMode.everything
    var options = NetworkOptions()
    var startsAnywhere: Bool? = true
    var workers: Int? = 1

    static func own(startsAnywhere: Bool? = false, workers: Int? = 2) -> Settings {
      Settings(
        clients: 3, capture: .nothing, options: NetworkOptions(patience: .seconds(7)), startsAnywhere: startsAnywhere,
        workers: workers)
    }
  }

  private let options = NetworkOptions(patience: .seconds(7))

  private func search(_ trait: NetworkTrait, seeds: String? = nil) throws -> (seeds: Range<UInt64>, Settings) {
    guard case .search(let search) = try trait.request.resolved(in: seeds.map { ["NETCOND_SEED": $0] } ?? [:]) else {
      throw FailureSearchError.impossible("it is no search")
    }
    let settings = Settings(
      clients: search.clients, capture: search.capture, options: search.options,
      startsAnywhere: search.startsAnywhere, workers: search.workers.count)
    return (search.seeds, settings)
  }

  private func exploration(_ trait: NetworkTrait) throws -> (FaultExploration, Settings) {
    guard case .exploration(let all) = try trait.request.resolved(in: [:]) else {
      throw FailureSearchError.impossible("it is no exploration")
    }
    let settings = Settings(
      clients: all.clients, capture: all.capture, options: all.options, startsAnywhere: nil, workers: all.workers.count)
    return (all, settings)
  }

  private func run(_ trait: NetworkTrait) throws -> (seed: UInt64, Settings) {
    guard case .run(let token) = try trait.request.resolved(in: [:]) else {
      throw FailureSearchError.impossible("it is no single run")
    }
    let request = trait.request
    let settings = Settings(
      clients: request.clients, capture: request.capture, options: request.options, startsAnywhere: nil, workers: nil)
    return (token.inputs.seed, settings)
  }

  @Test func `a trait passes on each of its arguments`() throws {
    let seeds = try search(
      .network(
        "3G", seeds: 5...6, clients: 3, startsAnywhere: false, capturing: .nothing, options: options, workers: 2))
    #expect(seeds.seeds == 5..<7 && seeds.1 == .own())
    let one: NetworkTrait = .network(
      "3G", seed: 9, clients: 3, startsAnywhere: false, capturing: .nothing, options: options)
    // More seeds, which the environment names, make a search of a single run; it is made where a run is made.
    #expect(try run(one) == (9, .own(startsAnywhere: nil, workers: nil)))
    #expect(try search(one, seeds: "1..<3") == (1..<3, .own(workers: 1)))
    let (all, settings) = try exploration(
      .network(
        "3G", everyFault: 2, of: [.refused], clients: 3, capturing: .nothing, options: options, workers: 2))
    #expect(all.bound == 2 && all.faults.kinds == [.refused] && settings == .own(startsAnywhere: nil))
    let schedule = try FaultSchedule("3G", seed: 4)
    #expect(
      try run(.network(replaying: schedule, clients: 3, capturing: .nothing, options: options))
        == (4, .own(startsAnywhere: nil, workers: nil)))
  }

  @Test func `by default a trait has one client, captures everything and makes one run at a time`() throws {
    #expect(try search(.network("3G", seeds: 5..<7)) == (5..<7, Settings()))
    #expect(try search(.network("3G"), seeds: "1..<3") == (1..<3, Settings()))
    #expect(try run(.network("3G")) == (0, Settings(startsAnywhere: nil, workers: nil)))
    let (all, settings) = try exploration(.network("3G", everyFault: 1))
    #expect(all.faults.kinds == .all && settings == Settings(startsAnywhere: nil))
    let replayed = try run(.network(replaying: try FaultSchedule("3G")))
    #expect(replayed == (0, Settings(startsAnywhere: nil, workers: nil)))
  }
}

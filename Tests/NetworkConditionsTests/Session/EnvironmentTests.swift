import Foundation
import LinkSimulator
import NetworkConditions
import Testing

struct EnvironmentTests {
  @Test func `without environment variables no network is made`() throws {
    #expect(try SimulatedNetwork.fromEnvironment(environment: [:]) == nil)
    #expect(try SimulatedNetwork.fromEnvironment(environment: ["NETCOND_PROFILE": ""]) == nil)
  }

  @Test(arguments: [("42", 42), ("7..<9", 7), ("3...3", 3)])
  func `NETCOND_PROFILE and NETCOND_SEED set a network's profile and seed`(_ seed: String, _ expected: UInt64) throws {
    let environment = ["NETCOND_PROFILE": "TUNNEL", "NETCOND_SEED": seed]
    let network = try #require(try SimulatedNetwork.fromEnvironment(environment: environment))
    #expect(network.profile.name == "tunnel")
    #expect(network.seed == expected)
  }

  @Test(arguments: [("42", 42..<43), ("0..<9", 0..<9), ("3...9", 3..<10), ("18446744073709551614", .max - 1 ..< .max)])
  func `NETCOND_SEED is a seed or a range of seeds for a search`(_ text: String, _ seeds: Range<UInt64>) throws {
    #expect(try NetworkEnvironment(["NETCOND_SEED": text]).seeds == seeds)
  }

  @Test func `NETCOND_REPLAY takes precedence over NETCOND_PROFILE`() throws {
    let schedule = try FaultSchedule("3G", seed: 9, faults: [.outage(from: .zero)])
    let environment = ["NETCOND_PROFILE": "wifi", "NETCOND_REPLAY": "\(ReplayToken(schedule))"]
    let network = try #require(try SimulatedNetwork.fromEnvironment(environment: environment))
    #expect(network.faultSchedule == schedule)
  }

  @Test(arguments: [
    (
      ["NETCOND_PROFILE": "tunel"],
      #"NETCOND_PROFILE: no profile is called "tunel"; did you mean "tunnel"? (netcond explain unknown-profile)"#
    ),
    (
      ["NETCOND_PROFILE": "3G", "NETCOND_SEED": "x"],
      #"NETCOND_SEED: "x" is neither a seed nor a range of seeds; write for example "42" or "0..<1000""#
    ),
    (
      ["NETCOND_PROFILE": "3G", "NETCOND_SEED": "9..<9"],
      #"NETCOND_SEED: "9..<9" is an empty range; write for example "42" or "0..<1000""#
    ),
    (
      ["NETCOND_PROFILE": "3G", "NETCOND_SEED": "18446744073709551615"],
      #"NETCOND_SEED: "18446744073709551615" is the one number that cannot be a seed of a range; write for example "42""#
    ),
    (
      ["NETCOND_SEED": "1"],
      #"NETCOND_SEED: a seed alone does not name a network; also set NETCOND_PROFILE, for example to "3G""#
    ),
    (
      ["NETCOND_REPLAY": "netcond9:x"],
      "NETCOND_REPLAY: The replay token has version 9; this package reads version 1. "
        + "Use the package that made it, or a newer one. (netcond explain bad-token)"
    ),
  ])
  func `an error in an environment variable names the variable`(_ environment: [String: String], _ text: String)
    throws
  {
    let error = #expect(throws: EnvironmentError.self) {
      try SimulatedNetwork.fromEnvironment(environment: environment)
    }
    #expect(error?.description.hasPrefix(text) == true, "\(error?.description ?? "")")
  }
}

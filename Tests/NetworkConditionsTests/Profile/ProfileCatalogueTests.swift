import Foundation
import Testing

@testable import NetworkConditions

struct ProfileCatalogueTests {
  @Test func `the catalogue has over 100 profiles, among them the usual names`() throws {
    let profiles = try NetworkProfile.all
    #expect(profiles.count > 100)
    for name in ["3G", "4G", "5G", "EDGE", "DSL", "cable", "wifi", "tunnel", "train", "subway", "offline", "unlimited"]
    {
      #expect(throws: Never.self) { try NetworkProfile.named(name) }
    }
  }

  @Test func `a profile is found by name or alias in any case`() throws {
    #expect(try NetworkProfile.named("3g") == NetworkProfile.named("3G"))
    #expect(try NetworkProfile.named("TRAIN").name == "tunnel")
    #expect(try NetworkProfile.named("Apple.3g").name == "apple.3G")
  }

  @Test func `a changed profile is not a built-in one, whatever its name`() throws {
    for name in ["3G", "tunnel@portal"] { #expect(ProfileCatalogue.contains(try .named(name))) }
    var changed = try NetworkProfile.named("3G")
    changed.summary += " and more"
    #expect(!ProfileCatalogue.contains(changed) && !ProfileCatalogue.contains(NetworkProfile(name: "mine")))
  }

  @Test func `a printed profile shows its numbers and phases`() throws {
    let lines = "\(try NetworkProfile.named("tunnel"))".split(separator: "\n")
    #expect(lines[0].hasPrefix("tunnel: ") && lines[1] == "  12 Mbit/s down, 5 Mbit/s up, 70 ms round trip, 0.1 % loss")
    #expect(lines.contains { $0.hasSuffix("for 12 s: out, packets vanish") })
    #expect("\(NetworkProfile.unlimited)".hasSuffix("\n  unlimited down, unlimited up, 0 ms round trip"))
  }

  @Test func `the error for an unknown profile name lists similar names`() throws {
    #expect(ProfileCatalogue.near("tunel") == ["tunnel"])
    #expect(ProfileCatalogue.near("TRIAN") == ["train"])
    #expect(ProfileCatalogue.near("subways at night") == ["subway"])
    #expect(ProfileCatalogue.near("") == [])
    #expect(
      ProfileError.unknownName("tunel", near: ["tunnel", "chunnel"]).description
        == #"no profile is called "tunel"; did you mean "tunnel" or "chunnel"? (netcond explain unknown-profile)"#)
    #expect(
      ProfileError.unknownName("zzz", near: []).localizedDescription
        == #"no profile is called "zzz" or anything similar; `NetworkProfile.all` lists them (netcond explain unknown-profile)"#
    )
    #expect(throws: ProfileError.unknownName("tunnnel", near: ["tunnel"])) { try NetworkProfile.named("tunnnel") }
  }

  // MARK: Rules

  @Test(arguments: [
    (
      #"{"name": "a", "aliases": ["me"], "rules": [{"match": {"host": "h"}, "use": "tunnnel"}, {"use": "ME"}]}"#,
      #"r.json: rules[0].use: no profile is called "tunnnel"; did you mean "tunnel"? (netcond explain unknown-profile)"#
    ),
    (
      #"{"name": "a", "aliases": ["me"], "rules": [{"match": {"host": "h"}, "use": "unlimited"}, {"use": "ME"}]}"#,
      #"r.json: rules[1].use: "a" uses "a": rules must not form a circle"#
    ),
    (
      #"{"name": "a", "rules": [{"use": {"name": "inner", "rules": [{"use": "a"}]}}]}"#,
      #"r.json: rules[0].use: "a" uses "inner" uses "a": rules must not form a circle"#
    ),
    (
      #"{"name": "a", "rules": [{"use": 5}]}"#,
      "r.json: rules[0].use: found 5 where the name of a profile should be, a string"
    ),
  ])
  func `a profile with a rule to itself or to an unknown profile is refused`(text: String, message: String) {
    let error = #expect(throws: ProfileError.self) { try NetworkProfile(json: Data(text.utf8), file: "r.json") }
    #expect(error?.sentence == message)
  }

  @Test func `two rules may use the same profile`() throws {
    let text = """
      {"name": "a", "rules": [
        {"match": {"host": "h"}, "use": {"name": "b", "rules": [{"use": "wifi"}]}}, {"use": "wifi"}]}
      """
    #expect(try NetworkProfile(json: Data(text.utf8)).rules.count == 2)
  }

  @Test func `a rule is for all requests that match, whatever their number`() {
    #expect(
      ProfileRule(match: RequestMatch(host: "a.example", nth: 2), use: "wifi").match == RequestMatch(host: "a.example"))
  }

  @Test func `a rule finds the profile that it names`() throws {
    #expect(try ProfileRule(match: .any, use: "WIFI").profile() == NetworkProfile.named("wifi"))
    #expect(try ProfileRule(match: .any, use: NetworkProfile(name: "mine")).profile().name == "mine")
    #expect(throws: ProfileError.unknownName("tunnnel", near: ["tunnel"])) {
      try ProfileRule(match: .any, use: "tunnnel").profile()
    }
  }
}

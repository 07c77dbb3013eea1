import Foundation
import Testing

@testable import NetworkConditions

struct ProfileCatalogueTests {
  private func catalogue(_ files: (name: String, text: String)...) throws -> ProfileCatalogue {
    try ProfileCatalogue(files: files.map { ($0.name, Data($0.text.utf8)) })
  }

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

  @Test func `a printed profile shows its numbers and phases`() throws {
    let lines = "\(try NetworkProfile.named("tunnel"))".split(separator: "\n")
    #expect(lines[0].hasPrefix("tunnel: ") && lines[1] == "  12 Mbit/s down, 5 Mbit/s up, 70 ms round trip, 0.1 % loss")
    #expect(lines.contains { $0.hasSuffix("for 12 s: out, packets vanish") })
    #expect("\(NetworkProfile.unlimited)".hasSuffix("\n  unlimited down, unlimited up, 0 ms round trip"))
  }

  @Test func `the error for an unknown profile name lists similar names`() throws {
    let catalogue = try catalogue(
      ("a.json", #"{"profiles": [{"name": "tunnel", "aliases": ["train"]}, {"name": "subway"}, {"name": "3G"}]}"#))
    #expect(catalogue.near("tunel") == ["tunnel"])
    #expect(catalogue.near("TRIAN") == ["train"])
    #expect(catalogue.near("sub") == ["subway"])
    #expect(catalogue.near("subways at night") == ["subway"])
    #expect(catalogue.near("way") == ["subway"])
    #expect(catalogue.near("zzz") == [])
    #expect(catalogue.near("") == [])
    #expect(
      ProfileError.unknownName("tunel", near: ["tunnel", "chunnel"]).description
        == #"no profile is called "tunel"; near names are "tunnel", "chunnel" (netcond explain unknown-profile)"#)
    #expect(
      ProfileError.unknownName("zzz", near: []).localizedDescription
        == #"no profile is called "zzz" or anything similar; `NetworkProfile.all` lists them (netcond explain unknown-profile)"#
    )
    #expect(throws: ProfileError.unknownName("tunnnel", near: ["tunnel"])) { try NetworkProfile.named("tunnnel") }
  }

  @Test func `two built-in profiles with the same name or alias are refused`() {
    let error = #expect(throws: ProfileError.self) {
      try catalogue(
        ("a.json", #"{"name": "a", "aliases": ["c"]}"#), ("b.json", #"{"profiles": [{"name": "b"}, {"name": "C"}]}"#))
    }
    #expect(error?.sentence == #"b.json: profiles[1]: the name "C" is taken by "a" in a.json"#)
  }

  // MARK: Rules

  @Test(arguments: [
    (
      #"{"profiles": [{"name": "a", "rules": [{"use": "b"}]}, {"name": "b", "rules": [{"use": "A"}]}]}"#,
      #"r.json: profiles[0].rules[0].use: "a" uses "b" uses "a": rules must not form a circle"#
    ),
    (
      #"{"name": "a", "aliases": ["me"], "rules": [{"match": {"host": "h"}, "use": "a2"}, {"use": "ME"}]}"#,
      #"r.json: rules[0].use: no profile is called "a2"; near names are "a" (netcond explain unknown-profile)"#
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
  func `a catalogue with a rule to an unknown profile or in a circle is refused`(text: String, message: String) {
    let error = #expect(throws: ProfileError.self) { try catalogue(("r.json", text)) }
    #expect(error?.sentence == message)
  }

  @Test func `a profile with a rule to itself or to an unknown profile is refused`() {
    let loop = #"{"name": "a", "rules": [{"match": {"host": "h"}, "use": "wifi"}, {"use": "A"}]}"#
    let error = #expect(throws: ProfileError.self) { try NetworkProfile(json: Data(loop.utf8), file: "r.json") }
    #expect(error?.sentence == #"r.json: rules[1].use: "a" uses "a": rules must not form a circle"#)
    let unknown = #"{"name": "a", "rules": [{"use": "tunnnel"}]}"#
    let other = #expect(throws: ProfileError.self) { try NetworkProfile(json: Data(unknown.utf8), file: "r.json") }
    #expect(
      other?.sentence
        == #"r.json: rules[0].use: no profile is called "tunnnel"; near names are "tunnel" (netcond explain unknown-profile)"#
    )
  }

  @Test func `two rules may use the same profile`() throws {
    let text = """
      {"profiles": [{"name": "a", "rules": [{"match": {"host": "h"}, "use": "b"}, {"use": "c"}]},
                    {"name": "b", "rules": [{"use": "c"}]}, {"name": "c"}]}
      """
    // The three profiles, and `unlimited`, which every catalogue has.
    #expect(try catalogue(("a.json", text)).profiles.count == 4)
  }

  @Test func `a rule finds the profile that it names`() throws {
    #expect(try ProfileRule(match: .any, use: "WIFI").profile() == NetworkProfile.named("wifi"))
    #expect(try ProfileRule(match: .any, use: NetworkProfile(name: "mine")).profile().name == "mine")
    #expect(throws: ProfileError.unknownName("tunnnel", near: ["tunnel"])) {
      try ProfileRule(match: .any, use: "tunnnel").profile()
    }
  }
}

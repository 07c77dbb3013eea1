import Internals
import Testing

@testable import netcond

struct ArgumentsTests {
  static let seed = Option("seed", short: "s", value: "N", help: "")
  static let header = Option("header", short: "H", value: "'K: V'", repeats: true, help: "")
  static let profile = Option("profile", value: "NAME", help: "")
  static let usage = Usage(operands: "[URL]", count: 0...1, options: [seed, header, profile, .json])

  func parse(_ words: String...) throws -> Arguments { try Arguments(words, usage: Self.usage) }

  @Test(arguments: [["--seed", "42"], ["--seed=42"], ["-s", "42"], ["-s42"]])
  func `a value can follow a long or short option with or without a separator`(words: [String]) throws {
    #expect(try Arguments(words, usage: Self.usage)[Self.seed] == "42")
  }

  @Test func `options and operands can come in any order`() throws {
    let arguments = try parse("--json", "x", "--seed", "1")
    #expect(arguments.operands == ["x"])
    #expect(arguments[flag: .json])
    #expect(arguments[Self.seed] == "1")
    #expect(arguments[Self.profile] == nil)
  }

  @Test func `a repeated option keeps all its values in order`() throws {
    #expect(try parse("-H", "A: 1", "--header=B: 2")[all: Self.header] == ["A: 1", "B: 2"])
  }

  @Test func `two dashes end the options, and a single dash is an operand`() throws {
    #expect(try parse("--", "--seed").operands == ["--seed"])
    #expect(try parse("-").operands == ["-"])
  }

  @Test func `an option's value may be empty, negative, a dash or contain an equals sign`() throws {
    #expect(try parse("--profile=a=b")[Self.profile] == "a=b")
    #expect(try parse("--profile=")[Self.profile] == "")
    #expect(try parse("--profile", "-")[Self.profile] == "-")
    #expect(try parse("--seed", "-5")[Self.seed] == "-5")
  }

  @Test func `an error about an option names the correction`() {
    #expect(throws: UsageError("unknown option --porfile; did you mean --profile?")) { try parse("--porfile", "3G") }
    #expect(throws: UsageError("unknown option --zzz; --help lists the options")) { try parse("--zzz") }
    #expect(throws: UsageError("unknown option -z; --help lists the options")) { try parse("-z") }
    #expect(throws: UsageError("unknown option -z; --help lists the options")) { try parse("-hz") }
    #expect(performing: { try parse("--cacert", "ca.pem") }, throws: { "\($0)".contains("update-ca-certificates") })
    #expect(performing: { try parse("--insecure") }, throws: { "\($0)".contains("update-ca-certificates") })
    #expect(throws: UsageError("--seed needs a value: --seed N")) { try parse("--seed") }
    #expect(throws: UsageError("--seed needs a value: --seed N")) { try parse("--seed", "--json") }
    #expect(throws: UsageError("--json takes no value")) { try parse("--json=yes") }
    #expect(throws: UsageError("--seed is given twice")) { try parse("--seed", "1", "-s2") }
    #expect(throws: UsageError("\"b\" is an extra argument")) { try parse("a", "b") }
  }

  @Test func `the help option works without the required operands`() throws {
    let usage = Usage(operands: "FILE ...", count: 1...9)
    #expect(try Arguments(["--help"], usage: usage)[flag: .help])
    #expect(throws: UsageError("needs FILE ...")) { try Arguments([], usage: usage) }
  }

  @Test func `a suggestion for a misspelt word names the similar word`() {
    #expect(NearNames.find("shwo", among: ["show", "check", "get"], atMost: 3) == ["show"])
    #expect(NearNames.find("pro", among: ["profiles", "show"], atMost: 3) == ["profiles"])
    #expect(NearNames.find("xyzzy", among: ["show"], atMost: 3) == [])
    #expect(NearNames.question(["a", "b"]) == "; did you mean a or b?")
  }
}

import Foundation
import Internals
import Testing

@testable import netcond

struct NetcondTests {
  let shell = Shell()

  @Test func `netcond help lists all commands`() async {
    let outcome = await shell.run("help")
    #expect(outcome.status == .done)
    for command in Subcommands.all { #expect(outcome.output.contains(command.name)) }
    #expect(outcome.error == "")
  }

  @Test(arguments: [80, 120, 40])
  func `the help of every command lists its options and fits the terminal`(width: Int) async {
    for command in Subcommands.all {
      let help = await Shell(width: width).run("help", command.name)
      #expect(help.status == .done)
      #expect(help.output == (await Shell(width: width).run(command.name, "--help")).output)
      #expect(help.output.hasPrefix("netcond \(command.name): \(command.abstract)\n\n  "))
      // An example comes first.
      #expect(width < 80 || help.lines[2].contains(command.name), "\(help.lines[2])")
      for option in command.usage.options { #expect(help.output.contains("--\(option.name)")) }
      if width >= 80 { for line in help.lines { #expect(line.count <= max(width, 80), "\(line)") } }
    }
  }

  @Test func `netcond --version prints one line`() async {
    #expect(await shell.run("--version").output == "netcond \(Netcond.version)\n")
  }

  @Test func `an unknown command is a usage error that suggests a similar command`() async {
    let outcome = await shell.run("shwo")
    #expect(outcome.status == .usage)
    #expect(outcome.error == "netcond: unknown command shwo; did you mean show? (netcond explain usage)\n")
    #expect(outcome.output == "")
    #expect(await shell.run("help", "gett").status == .usage)
  }

  @Test(arguments: [
    (["--profile", "3G", "get"], "netcond: options come after the command: netcond get --profile …"),
    (["-p", "3G"], "netcond: unknown option -p; netcond help lists the commands"),
    (
      ["retry", "tunnel"],
      "netcond retry: \"tunnel\" is an extra argument; write for example netcond retry --scenario payment"
    ),
    (["merge"], "netcond merge: needs PART ...; write for example netcond merge a.json b.json --html report.html"),
  ])
  func `a misplaced word is a usage error that says what to write`(_ words: [String], _ error: String) async {
    let outcome = await shell.run(words)
    #expect(outcome.status == .usage && outcome.error == "\(error) (netcond explain usage)\n", "\(outcome.error)")
  }

  @Test func `netcond help help prints the general help`() async {
    let help = await shell.run("help").output
    #expect(help.contains("\n  netcond get --profile tunnel --virtual\n"))
    #expect(await shell.run("help", "help").output == help)
    #expect(await shell.run("help", "--help").output == help)
  }

  @Test func `a usage error is one line that starts with the command's name`() async {
    let outcome = await shell.run("get", "--sed", "1")
    #expect(outcome.status == .usage)
    #expect(outcome.error == "netcond get: unknown option --sed; did you mean --seed? (netcond explain usage)\n")
  }

  @Test func `exit statuses follow the conventions of the shell`() {
    #expect([ExitStatus.done, .failed, .usage, .interrupted, .unread].map(\.rawValue) == [0, 1, 2, 130, 141])
  }

  @Test(arguments: [["get", "--data", "@/usr"], ["retry", "--policy", "@/usr"]])
  func `a folder where a file is expected is refused with the reason`(words: [String]) async {
    let outcome = await shell.run(words)
    #expect(outcome.status == .failed && outcome.error.contains("usr: is not a regular file"), "\(outcome.error)")
  }

  @Test(arguments: [
    ["check", "/nonexistent.json"], ["show", "/nonexistent.json"], ["show", "netcond1:x"],
    ["get", "--profile", "/nonexistent/p.json"], ["get", "--data", "@/nonexistent"], ["get", "-o", "/nonexistent/out"],
    ["get", "-o", "/"], ["get", "--from", "/nonexistent.har"], ["get", "--trace", "/nonexistent/a.csv"],
    ["simulate", "--cases", "/nonexistent.json"], ["simulate", "--profile", "/nonexistent/p.json"],
    ["retry", "--profile", "/nonexistent/p.json"], ["merge", "/nonexistent.json"],
    ["import", "netem", "/nonexistent"], ["export", "/nonexistent.json", "--to", "netem"],
    ["import", "tc", "/dev/null"], ["record", "http://127.0.0.1:9/", "-o", "/nonexistent/a.har"],
  ])
  func `a missing or wrong file gives another exit status than a usage error`(words: [String]) async throws {
    let outcome = await shell.run(words)
    #expect(outcome.status == .failed)
    #expect(outcome.error.hasPrefix("netcond \(words[0]): ") && outcome.error.filter { $0 == "\n" }.count == 1)
    let json = await shell.run(words + ["--json"])
    #expect(json.status == .failed && json.error == outcome.error)
    let usage = await shell.run(words + ["--nonsense", "--json"])
    #expect(usage.status == .usage && usage.error.contains("unknown option --nonsense"))
    for outcome in [json, usage] where words[0] != "check" || outcome.status == .usage {
      let object = try outcome.object
      #expect(outcome.error == "netcond \(words[0]): \(object["error"] as? String ?? "")\n")
    }
  }

  @Test func `behind two dashes --json is an operand, so an error is not printed as JSON`() async {
    let outcome = await shell.run("check", "--nonsense", "--", "--json")
    #expect(outcome.status == .usage && outcome.output.isEmpty, "\(outcome.output)")
  }

  @Test func `an unknown command with --json prints its error as JSON`() async throws {
    let outcome = await shell.run("shwo", "--json")
    #expect(outcome.status == .usage)
    #expect(
      try outcome.object["error"] as? String == "unknown command shwo; did you mean show? (netcond explain usage)")
  }

  static let printing = [
    ["profiles"], ["profiles", "--json"], ["show", "tunnel"], ["show", "3G", "--json"],
    ["simulate", "--seeds", "2"], ["simulate", "--seeds", "2", "--json"],
    ["retry", "--profile", "wifi", "--policy", "none", "--seeds", "2"], ["export", "3G", "--to", "netem"],
    ["export", "3G", "--to", "netem", "--json"], ["get"], ["get", "--json"], ["get", "-o", "-"], ["--version"],
    ["help"], ["get", "--help"],
  ]

  @Test(arguments: printing)
  func `a failed write to standard output is an error`(words: [String]) async {
    var shell = shell
    shell.lost = SystemError(code: ENOSPC)
    let outcome = await shell.run(words)
    #expect(outcome.status == .failed)
    #expect(
      outcome.error.hasSuffix(
        "Standard output cannot be written: No space left on device. (netcond explain unwritable-file)\n"))
  }

  @Test(arguments: printing)
  func `netcond prints no error when the reader of its output has closed the pipe`(words: [String]) async {
    var shell = shell
    shell.lost = SystemError(code: EPIPE)
    let outcome = await shell.run(words)
    #expect(outcome.status == .unread && !outcome.error.contains("netcond"))
  }
}

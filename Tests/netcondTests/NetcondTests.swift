import Testing

@testable import netcond

@Suite struct NetcondTests {
  let shell = Shell()

  @Test func `without a word it says what there is`() async {
    let outcome = await shell.run()
    #expect(outcome.status == .done)
    for command in Subcommands.all { #expect(outcome.output.contains(command.name)) }
    #expect(outcome.error == "")
  }

  @Test(arguments: [80, 120, 40])
  func `every command has a help that fits the terminal`(width: Int) async {
    for command in Subcommands.all {
      let help = await Shell(width: width).run("help", command.name)
      #expect(help.status == .done)
      #expect(help.output == (await Shell(width: width).run(command.name, "--help")).output)
      #expect(help.output.hasPrefix("netcond \(command.name): \(command.abstract)\n"))
      for option in command.usage.options { #expect(help.output.contains("--\(option.name)")) }
      if width >= 80 { for line in help.lines { #expect(line.count <= max(width, 80), "\(line)") } }
    }
  }

  @Test func `the version is one line`() async {
    #expect(await shell.run("--version").output == "netcond \(Netcond.version)\n")
  }

  @Test func `an unknown command is wrong usage with a near name`() async {
    let outcome = await shell.run("shwo")
    #expect(outcome.status == .usage)
    #expect(outcome.error == "netcond unknown command shwo; did you mean show?\n")
    #expect(outcome.output == "")
    #expect(await shell.run("help", "gett").status == .usage)
  }

  @Test func `wrong usage is one line that names the command`() async {
    let outcome = await shell.run("get", "--sed", "1")
    #expect(outcome.status == .usage)
    #expect(outcome.error == "netcond get: unknown option --sed; did you mean --seed?\n")
  }

  @Test func `exit statuses are those of the shell`() {
    #expect([ExitStatus.done, .failed, .usage, .interrupted].map(\.rawValue) == [0, 1, 2, 130])
  }
}

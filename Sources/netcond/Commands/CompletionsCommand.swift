import NetworkConditions
/// `netcond completions`: what a shell reads to complete command lines.
struct CompletionsCommand: Subcommand {
  static let name = "completions"
  static let abstract = "print what bash, zsh or fish needs to complete commands"
  static let usage = Usage(
    operands: "SHELL", count: 1...1, options: [.json],
    notes: [
      "  source <(netcond completions bash)", "  source <(netcond completions zsh)",
      "  netcond completions fish > ~/.config/fish/completions/netcond.fish",
    ])

  func run(_ arguments: Arguments, on console: Console) async throws -> ExitStatus {
    let shells: [String: (Completions) -> String] = [
      "bash": \.bash, "zsh": \.zsh, "fish": \.fish,
    ]
    guard let text = shells[arguments.operands[0]] else {
      throw UsageError("there are no completions for \"\(arguments.operands[0])\"; write bash, zsh or fish")
    }
    let script = text(try Completions())
    if arguments[flag: .json] { console.out(.members([("script", .string(script))])) } else { console.out(script) }
    return .done
  }
}

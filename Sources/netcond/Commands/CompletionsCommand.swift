import NetworkConditions
import ProfileFormats
import RetryBenchmark
import RetryPolicies

struct CompletionsCommand: Subcommand {
  static let name = "completions"
  static let abstract = "print what bash, zsh or fish needs to complete commands"
  static let usage = Usage(
    operands: "SHELL", count: 1...1, options: [.json],
    examples: [
      "source <(netcond completions bash)", "source <(netcond completions zsh)",
      "netcond completions fish > ~/.config/fish/completions/netcond.fish",
    ])

  func run(_ arguments: Arguments, on console: Console) async throws -> ExitStatus {
    let shells: [String: (Completions) -> String] = [
      "bash": \.bash, "zsh": \.zsh, "fish": \.fish,
    ]
    guard let text = shells[arguments.operands[0]] else {
      throw UsageError("there are no completions for \"\(arguments.operands[0])\"; write bash, zsh or fish")
    }
    let script = text(try Completions())
    if arguments[flag: .json] { console.out(["script": .string(script)]) } else { console.out(script) }
    return .done
  }
}

/// Builds completion scripts from the tables that the command-line parser uses.
struct Completions {
  /// The words, and the kinds of files, that a shell offers to complete a value or an operand.
  private struct Values {
    var words: [String] = []
    var takesFiles = false

    /// Reads a placeholder of the help, such as `NAME|FILE`, `cubic|reno|bbr` or `FORMAT`.
    init(_ placeholder: String, profiles: [String]) {
      for part in placeholder.split(whereSeparator: { "| ".contains($0) }) {
        switch part {
        case _ where part.contains("FILE"): takesFiles = true
        case "PART": takesFiles = true
        case "NAME": words += profiles
        case "FORMAT": words += FormatChoice.names
        case "SHELL": words += ["bash", "zsh", "fish"]
        case _ where part.contains { $0.isLowercase } && part.allSatisfy { $0.isLetter && $0.isLowercase }:
          words.append(String(part))
        default: break
        }
      }
    }
  }

  private let profiles: [String]

  init() throws {
    profiles = try NetworkProfile.all.map(\.name)
  }

  private func values(of option: Option) -> Values {
    var values = Values(option.value ?? "", profiles: profiles)
    if option == RetryOptions.profileOption { values.words = profiles }
    if option == RetryOptions.policyOption {
      values.words = RetryPolicyCatalogue.entries.map(\.name) + RetryScenario.named.map(\.name)
    }
    return values
  }

  static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: #"'\''"#))'" }

  private static func list(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

  private static func spellings(_ option: Option) -> [String] {
    ["--\(option.name)"] + (option.short.map { ["-\($0)"] } ?? [])
  }

  private static var commands: [any Subcommand.Type] { Subcommands.all }

  /// Formats the words and files as branches of a shell's `case` by the preceding words.
  private func cases(_ indent: String) -> String {
    var lines: [String] = []
    for command in Self.commands {
      for option in command.usage.options where option.value != nil {
        let values = values(of: option)
        let patterns = Self.spellings(option).map { "\(command.name):\($0)" }.joined(separator: "|")
        lines.append("\(indent)\(patterns)) words=(\(Self.list(values.words))) files=\(values.takesFiles ? 1 : 0) ;;")
      }
    }
    for command in Self.commands {
      let operands = Values(command.usage.operands, profiles: profiles)
      let options = (command.usage.options + [.help]).flatMap(Self.spellings)
      lines.append(
        "\(indent)\(command.name):*) words=(\(Self.list(operands.words))) options=(\(options.joined(separator: " "))) "
          + "files=\(operands.takesFiles ? 1 : 0) ;;")
    }
    lines.append("\(indent)help:*) words=(\(Self.list(Self.commands.map { $0.name }))) ;;")
    return lines.joined(separator: "\n")
  }

  private var first: String { Self.list(Self.commands.map { $0.name } + ["help"]) }

  var bash: String {
    """
    _netcond() {
      local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} files=0 word
      local words=() options=()
      COMPREPLY=()
      if [ "$COMP_CWORD" -eq 1 ]; then
        words=(\(first))
      else
        case "${COMP_WORDS[1]}:$before" in
    \(cases("    "))
        esac
      fi
      case "$current" in
        -*) words=("${options[@]}") files=0 ;;
      esac
      # What was typed may be quoted or escaped already; names have spaces in them.
      local typed=${current//\\\\/}
      typed=${typed#[\\"\\']}
      local lower=${typed,,}
      for word in "${words[@]}"; do
        if [[ ${word,,} == "$lower"* ]]; then COMPREPLY+=("$(printf '%q' "$word")"); fi
      done
      if [ "$files" -eq 1 ]; then
        while IFS= read -r word; do COMPREPLY+=("$(printf '%q' "$word")"); done < <(compgen -f -- "$typed")
      fi
    }
    complete -F _netcond netcond

    """
  }

  var zsh: String {
    """
    #compdef netcond
    _netcond() {
      local before=${words[CURRENT-1]} command=${words[2]} current=${words[CURRENT]} files=0
      local -a options
      () {
        local -a words
        if (( CURRENT == 2 )); then
          words=(\(first))
        else
          case "$command:$before" in
    \(cases("        "))
          esac
        fi
        if [[ $current == -* ]]; then
          compadd -- $options
        else
          compadd -M 'm:{a-zA-Z}={A-Za-z}' -a -- words
          (( files )) && _files
        fi
      }
    }
    if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _netcond "$@"; else compdef _netcond netcond; fi

    """
  }

  var fish: String {
    var lines = ["complete -c netcond -f"]
    for command in Self.commands {
      lines.append("complete -c netcond -n __fish_use_subcommand -a \(command.name) -d \(Self.fish(command.abstract))")
    }
    lines.append("complete -c netcond -n __fish_use_subcommand -a help")
    for command in Self.commands {
      let begin = "complete -c netcond -n '__fish_seen_subcommand_from \(command.name)'"
      let operands = Values(command.usage.operands, profiles: profiles)
      if operands.takesFiles { lines.append("\(begin) -F") }
      if !operands.words.isEmpty { lines.append("\(begin) -a \(Self.fish(operands.words))") }
      for option in command.usage.options + [.help] {
        var line = "\(begin) -l \(option.name)\(option.short.map { " -s \($0)" } ?? "") -d \(Self.fish(option.help))"
        if option.value != nil {
          let values = values(of: option)
          line += values.takesFiles ? " -r -F" : " -x"
          if !values.words.isEmpty { line += " -a \(Self.fish(values.words))" }
        }
        lines.append(line)
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func fish(_ text: String) -> String {
    "'\(text.replacing(#"\"#, with: #"\\"#).replacing("'", with: #"\'"#))'"
  }

  /// Joins words in the form that fish splits, with spaces within them escaped.
  private static func fish(_ words: [String]) -> String {
    fish(words.map { $0.replacing(" ", with: #"\ "#) }.joined(separator: " "))
  }
}

import Internals

/// `netcond tour`, also run without a command: demonstrates three jobs, each in a few seconds.
struct TourCommand: Subcommand {
  static let name = "tour"
  static let abstract = "show the three jobs in ten seconds, without any setup"
  static let usage = Usage(
    examples: ["netcond tour", "netcond"],
    notes: [
      "It needs nothing: no server, no network, no file. netcond without a command does the same.",
      "On a terminal, the download is shown live; in a pipe, everything is computed at once.",
    ])

  func run(_ arguments: Arguments, on console: Console) async throws -> ExitStatus {
    for (number, stop) in TourStop.all.enumerated() {
      console.show(nil) { width, style in
        (number == 0 ? [] : [""]) + [style(.strong, "\(number + 1)  \(stop.title)")]
          + stop.story.wrapped(to: min(width, 100)) + [""]
      }
      let status = try await stop.run(console)
      guard status == .done else { return status }
      console.show(nil) { _, style in ["", style(.faint, "yours:")] + stop.yours.map { "  \($0)" } }
    }
    console.show(nil) { _, style in ["", style(.faint, "netcond help lists the commands.")] }
    return .done
  }
}

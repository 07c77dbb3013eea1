#if os(Linux)
  import Foundation

  /// The killed mutations by module, and every mutation that lives.
  struct MutationTable {
    let verdicts: [MutationRun.Verdict]
    /// The line of each mutation, by the mutation's name.
    let lines: [String: Int]

    /// The share of killed mutations, in percent.
    var killedShare: Double {
      verdicts.isEmpty ? 0 : 100 * Double(verdicts.count { $0.killer != nil }) / Double(verdicts.count)
    }

    var text: String {
      var rows = [("module", "mutations", "killed", "live")]
      let modules = Dictionary(grouping: verdicts, by: \.mutation.module).sorted { $0.key < $1.key }
      for (module, verdicts) in modules + [("all", verdicts)] {
        let killed = verdicts.count { $0.killer != nil }
        rows.append((module, "\(verdicts.count)", "\(killed)", "\(verdicts.count - killed)"))
      }
      let table = rows.map { row in
        row.0.padding(toLength: 24, withPad: " ", startingAt: 0)
          + [row.1, row.2, row.3].map { String(repeating: " ", count: max(0, 10 - $0.count)) + $0 }.joined()
      }
      let living = verdicts.filter { $0.killer == nil }.map(\.mutation).map { mutation in
        """
        \(mutation.name) lives: Sources/\(mutation.module)/\(mutation.path):\(lines[mutation.name] ?? 0)
          - \(mutation.original)
          + \(mutation.mutated)
          \(mutation.effect)
          \(mutation.reason ?? "No test notices it.")
        """
      }
      let share = "\(Int(killedShare)) % are killed, \(Mutations.leastKilled) % must be."
      return ([""] + table + [""] + living + ["", share]).joined(separator: "\n")
    }
  }
#endif

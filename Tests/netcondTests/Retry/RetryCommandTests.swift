import Foundation
import NetworkConditions
import RetryBenchmark
import Testing

@testable import netcond

struct RetryCommandTests {
  let shell = Shell(width: 100)
  static let small = ["retry", "--profile", "flaky,wifi", "--policy", "none,full-jitter", "--seeds", "4"]

  @Test func `each profile's table has a row for each policy and fits the terminal's width`() async {
    for width in [80, 100] {
      let outcome = await Shell(width: width).run(Self.small + ["--all"])
      #expect(outcome.status == .done)
      // The headline comes first.
      #expect(outcome.lines[0].hasPrefix("Under flaky, 4 seeds cannot tell policies apart"))
      #expect(outcome.lines.contains("GET 2 kB by one client, 4 seeds; server: 20 ms"))
      for profile in ["flaky", "wifi"] { #expect(outcome.lines.contains { $0.hasPrefix("\(profile)  ") }) }
      for policy in ["none", "full-jitter"] {
        // Only lines of the first table have the success and three quantiles.
        #expect(outcome.lines.count { $0.hasPrefix(policy + " ") && $0.split(separator: " ").count >= 7 } >= 2)
      }
      #expect(outcome.lines.count { $0.hasPrefix("against none  success") } == 2)
      for line in outcome.lines { #expect(line.count <= width, "\(line)") }
      #expect(outcome.error.hasPrefix("16 trials in ") && !outcome.error.contains("--all"))
    }
  }

  @Test func `without options the output fits on one screen, and a line on standard error lists the scenarios`()
    async
  {
    let outcome = await Shell(width: 80).run("retry", "--seeds", "60")
    #expect(outcome.lines.count <= 26 && outcome.lines[0].hasPrefix("Under subway, patient does best"))
    for line in outcome.lines { #expect(line.count <= 80, "\(line)") }
    #expect(!outcome.output.contains("waste") && !outcome.output.contains("against"))
    #expect(outcome.error.contains("--all prints more, --html FILE a page; --scenario overload|payment|poll|upload"))
  }

  @Test func `other options override the settings of a scenario`() async throws {
    func report(_ words: String...) async throws -> RetryReport {
      try RetryReport(json: await shell.run(["retry", "--json"] + words).bytes)
    }
    let payment = try await report("--scenario", "payment", "--seeds", "2", "--get", "9 B")
    #expect(payment.profiles == ["flaky", "subway"] && payment.policies == ["none", "careful", "anyway", "keyed"])
    #expect(
      payment.workload.method == "POST" && payment.workload.requestBytes == 2_000 && payment.workload.responseBytes == 9
    )
    let overload = try await report(
      "--scenario", "overload", "--seeds", "1", "--policy", "none", "--requests", "1", "--brown-out", "1 s..2 s x2",
      "--server", "5 ms", "--think", "1 s")
    #expect(overload.server.serviceTime == .milliseconds(5) && overload.server.capacity == nil)
    #expect(overload.server.brownOuts.map(\.factor) == [2] && overload.workload.every == nil)
    #expect(overload.workload.clients == 40)
    let wrong = await shell.run("retry", "--scenario", "paiment")
    #expect(wrong.status == .usage && wrong.error.contains("one of mobile, overload, payment, poll, upload"))
  }

  @Test func `a POST's table has columns for requests processed twice and processed without the caller's knowledge`()
    async
  {
    let outcome = await Shell(width: 80).run(
      "retry", "--profile", "wifi", "--method", "POST", "--put", "2 kB", "--server", "10 s", "--policy",
      "t = immediate(attempts 3) + per-try(3 s) + any-method", "--seeds", "6")
    // All three attempts reach the server, which carries out each one although its client has given up.
    let text = outcome.lines.joined(separator: " ")
    #expect(text.contains("the server carries out 1000 of 1,000 requests twice"))
    #expect(outcome.lines.contains { $0.hasSuffix("     twice   unknown") && $0.hasPrefix("wifi ") })
    #expect(outcome.lines.contains { $0.hasPrefix("t ") && $0.hasSuffix("  100 ≤100  100 ≤100") })
  }

  @Test func `a warning says when the server ignores the policy's idempotency keys`() async {
    let words = ["retry", "--scenario", "payment", "--policy", "none,keyed", "--seeds", "6"]
    let sentence = "This server ignores Idempotency-Key, so a key prevents nothing: add keys 24 h to the server."
    #expect(await shell.run(words + ["--server", "300 ms"]).lines.contains(sentence))
    #expect(!(await shell.run(words).output.contains("prevents nothing")))
  }

  @Test func `a long policy plan has a short name in tables and is written out below`() async {
    let plan = "full-jitter(base 1 s, attempts 4) + budget + per-try(5 s)"
    let outcome = await Shell(width: 80).run(
      "retry", "--all", "--profile", "wifi", "--policy", "none,\(plan)", "--clients", "12", "--seeds", "6", "--server",
      "100 ms, 2 at once, queue 2, 503")
    #expect(outcome.lines.contains("policy 1: \(plan)"))
    #expect(outcome.lines.count { $0.hasPrefix("policy 1 ") } == 3)
    for title in ["success", "p50", "p90", "p99", "tries", "wait", "waste"] {
      #expect(outcome.lines.contains { $0.hasPrefix("wifi ") && $0.contains(title) }, "\(title)")
    }
    for line in outcome.lines { #expect(line.count <= 80, "\(line)") }
  }

  @Test func `every column of the table is shown with the longest policy name in 100 characters`() async {
    let outcome = await shell.run(
      "retry", "--all", "--profile", "wifi", "--policy", "none,decorrelated-jitter", "--clients", "12", "--seeds", "3",
      "--server", "100 ms, 2 at once, queue 2, 503")
    for title in ["success", "p50", "p90", "p99", "quit", "tries", "wait", "waste"] {
      #expect(outcome.lines.contains { $0.hasPrefix("wifi ") && $0.contains(title) }, "\(title)")
    }
  }

  @Test func `JSON output equals the library's report`() async throws {
    let outcome = await shell.run(Self.small + ["--json"])
    let benchmark = try RetryBenchmark(profiles: ["flaky", "wifi"], seeds: 0..<4)
    let report = try await benchmark.run(["none", "full-jitter"])
    #expect(outcome.bytes == (try report.json()) + Data("\n".utf8))
  }

  @Test func `workload, server and limit options reach the report, whose command repeats each`() async throws {
    let words = [
      "retry", "--profile", "wifi", "--policy", "grpc", "--clients", "3", "--seeds", "5..<9", "--requests", "2",
      "--arrival", "poisson 1 s", "--think", "exponential 2 s", "--brown-out", "1 s..2 s x5",
      "--method", "post",
      "--get", "5 kB", "--put", "7 B", "--server",
      "5 ms, 4 at once, queue 3, 429 after 2 s, keys 24 h", "--margin", "1.5 times", "--outage",
      "1 s..1500 ms, 3 s..4 s", "--deadline", "9 s", "--per-try",
      "4 s", "--shard",
      "2/2", "--json",
    ]
    let report = try RetryReport(json: await shell.run(words).bytes)
    #expect(report.seeds == 5..<9)
    #expect(
      report.workload
        == Workload(
          clients: 3, requestsPerClient: 2, think: .exponential(mean: .seconds(2)),
          arrival: .poisson(over: .seconds(1)), method: "POST", requestBytes: 7,
          responseBytes: 5_000, deadline: .seconds(9), perTry: .seconds(4)))
    #expect(
      report.server
        == ServerModel(
          serviceTime: .milliseconds(5), capacity: 4, queueLength: 3,
          overload: .reject(status: 429, retryAfter: .seconds(2)),
          outages: [.seconds(1)..<(.milliseconds(1500)), .seconds(3)..<(.seconds(4))],
          brownOuts: [.init(.seconds(1)..<(.seconds(2)), factor: 5)], keyMemory: .seconds(86_400)))
    #expect(report.margin == .failures(thousandths: 1_500))
    #expect(report.parts.map(\.index) == [1])
    #expect(
      report.command == """
        netcond retry --profile wifi --policy grpc --clients 3 --seeds '5..<9' --requests 2 --arrival 'poisson 1 s' \
        --think 'exponential 2 s' --method POST --get '5000 B' --put '7 B' --server '5 ms, 4 at once, queue 3, 429 after 2 s, keys 24 h' \
        --brown-out '1 s..2 s x5' --outage '1 s..1500 ms, 3 s..4 s' --deadline '9 s' --per-try '4 s' --margin '1.5 times' \
        --shard 2/2
        """)
  }

  @Test func `a load search prints a sentence and a table, or a JSON object`() async throws {
    let words = [
      "retry", "--find-load", "--every", "exponential 1 s", "--server", "500 ms, 1 at once", "--brown-out",
      "1 s..2 s x5", "--policy", "none",
    ]
    let outcome = await shell.run(words)
    #expect(outcome.status == .done)
    let text = outcome.lines.joined(separator: " ")
    #expect(text.hasPrefix("The server can carry out 2 requests a second, and was slow. With none it recovers "))
    // The output shows the limits of the scenario.
    #expect(outcome.lines.contains { $0.hasPrefix("wifi; server: ") }, "\(outcome.output)")
    #expect(text.contains("; deadline 10 s; each try up to 1 s"), "\(text)")
    #expect(outcome.lines.contains { $0.hasPrefix("none ") && $0.hasSuffix(" 2") })
    let json = try JSONSerialization.jsonObject(with: await shell.run(words + ["--json"]).bytes) as? [String: Any]
    #expect(json?["capacity"] as? Double == 2)
    let wrong = await shell.run(words + ["--clients", "3"])
    #expect(
      wrong.status == .usage && wrong.error.contains("--find-load prints loads, not a report; leave --clients out"))
    let mobile = await shell.run("retry", "--find-load", "--scenario", "mobile")
    #expect(mobile.status == .usage && mobile.error.contains("clients in an open loop"))
  }

  @Test func `a policy that never stops retrying gives a one-line error with its trial and a replay token`() async {
    let outcome = await shell.run(
      "retry", "--profile", "wifi", "--policy", "immediate(attempts any)", "--outage", "0 s..100 h", "--seeds", "4..<5")
    #expect(outcome.status == .failed)
    #expect(
      outcome.error.hasPrefix(
        "netcond retry: The trial wifi/immediate(attempts any)/4 could not be completed."))
    #expect(outcome.error.contains("the limit is 1100 requests") && outcome.error.contains("NETCOND_REPLAY=netcond1:"))
    #expect(outcome.error.contains("--deadline") && !outcome.error.contains("NetworkOptions"), "\(outcome.error)")
    #expect(!outcome.error.contains("redacted") && outcome.error.filter { $0 == "\n" }.count == 1, "\(outcome.error)")
  }

  @Test func `a policy that never stops retrying is left out of the report, and the others are compared`() async throws
  {
    let words = [
      "retry", "--profile", "wifi", "--policy", "none, immediate(attempts any), full-jitter", "--outage", "0 s..100 h",
      "--seeds", "2",
    ]
    let outcome = await shell.run(words)
    #expect(outcome.status == .failed && outcome.lines[0].hasPrefix("Under wifi, "))
    let text = outcome.lines.joined(separator: " ")
    #expect(text.contains("immediate(attempts any) is left out. The trial wifi/immediate(attempts any)/0 could not"))
    let report = try RetryReport(json: await shell.run(words + ["--json"]).bytes)
    #expect(report.policies == ["none", "full-jitter"] && report.leftOut.map(\.policy) == ["immediate(attempts any)"])
    #expect(report.results.allSatisfy { $0.trials.count == 2 } && !report.isPartial)
    // One share completes the policy's trials, the other does not.
    var parts: [RetryReport] = []
    for share in ["1/2", "2/2"] {
      parts.append(try RetryReport(json: await shell.run(words + ["--json", "--shard", share]).bytes))
    }
    let whole = try RetryReport.merging(parts)
    #expect(whole.results == report.results && whole.leftOut.map(\.policy) == report.leftOut.map(\.policy))
    #expect(throws: RetryBenchmarkError.self) { try RetryComparison(parts[0], to: parts[0]) }
  }

  @Test(.enabled(if: CaptureMode.obstacle == nil))
  func `a policy that waits for the network is left out under an offline profile, and the run succeeds`()
    async throws
  {
    let words = ["retry", "--profile", "wifi,offline", "--policy", "none, ours = full-jitter + path", "--seeds", "6"]
    let outcome = await shell.run(words)
    #expect(outcome.status == .done)
    let text = outcome.lines.joined(separator: " ")
    #expect(
      text.contains("ours waits for ever under offline: give it a deadline, as in + deadline(60 s) or --deadline"))
    #expect(!text.contains("left out") && !text.contains("closure"), "\(text)")
    let report = try RetryReport(json: await shell.run(words + ["--json"]).bytes)
    #expect(report["wifi", "ours"]?.trials.count == 6 && report["offline", "ours"] == nil)
    #expect(report["offline", "none"]?.trials.count == 6 && !report.isPartial)
    var parts: [RetryReport] = []
    for share in ["1/2", "2/2"] {
      parts.append(try RetryReport(json: await shell.run(words + ["--json", "--shard", share]).bytes))
    }
    #expect(try RetryReport.merging(parts).results == report.results)
    // If all policies are left out, the command fails with the same sentence.
    let alone = await shell.run(["retry", "--profile", "offline", "--policy", "full-jitter + path", "--seeds", "6"])
    #expect(alone.status == .failed && alone.error.contains("full-jitter + path waits for ever under offline"))
    let limited = await shell.run(words + ["--deadline", "60 s"])
    #expect(limited.status == .done && !limited.output.contains("for ever"))
    #expect(limited.output.contains("Under offline, no request succeeds with any policy."), "\(limited.output)")
  }

  @Test func `a scenario's policy name works with any profile, and help and explain show its plan`() async throws {
    let outcome = await shell.run(
      "retry", "--profile", "wifi", "--policy", "patient, patient + path, ours = keyed + budget", "--seeds", "2",
      "--json")
    let report = try RetryReport(json: outcome.bytes)
    #expect(report.policies == ["patient", "full-jitter(attempts 8) + per-try(10 s) + path", "ours"])
    #expect(report.plans[0] == "patient = full-jitter(attempts 8) + per-try(10 s)")
    #expect(report.results[2].plan == "full-jitter(attempts 4) + idempotency-key + budget")
    let help = await Shell(width: 100).run("retry", "--help").output
    for (name, plan) in RetryScenario.named { #expect(help.contains("      \(name) = \(plan)"), "\(name)") }
    #expect(
      help.split(whereSeparator: \.isWhitespace).joined(separator: " ").hasSuffix(
        "Exit status: 0 done, 1 worse than --baseline, or a policy never stops trying (the output names it), 2 wrong usage, "
          + "129 hung up, 130 interrupted, 143 terminated."))
    let explained = await shell.run("explain", "patient")
    #expect(explained.status == .done && explained.output.contains("\"patient\" is the policy full-jitter(attempts 8)"))
  }

  @Test func `the output warns if policies have different limits or hedges use up attempts`() async {
    let words = ["retry", "--profile", "subway", "--seeds", "100", "--policy"]
    let limits = await shell.run(words + ["immediate, patient"])
    #expect(limits.lines.contains("Their limits differ, and may decide: compare them at equal limits (--equal)."))
    let all = await shell.run(words + ["immediate, patient", "--all"]).lines.joined(separator: " ")
    #expect(all.contains("Their limits differ: immediate 3 attempts; patient 8 attempts, 10 s each."), "\(all)")
    let equal = await shell.run(words + ["hedging, patient", "--equal"]).lines.joined(separator: " ")
    #expect(equal.contains("A hedge counts as an attempt, so hedging uses up the 8 attempts sooner."), "\(equal)")
    #expect(!equal.contains("limits differ"))
  }

  @Test func `the report's command repeats the option for an open loop`() async throws {
    let words = [
      "retry", "--profile", "wifi", "--seeds", "2", "--requests", "3", "--every", "exponential 2 s", "--json",
    ]
    let report = try RetryReport(json: await shell.run(words).bytes)
    #expect(report.workload == Workload(requestsPerClient: 3, every: .exponential(mean: .seconds(2))))
    #expect(report.command.contains("--requests 3 --every 'exponential 2 s' --get"), "\(report.command)")
  }

  @Test func `policies are read from the command line or a file, and the report's command repeats each`()
    async throws
  {
    let scratch = try Scratch()
    let file = try scratch.file("policies.txt", "# ours\nours = full-jitter(base 1 s) + per-try(5 s)\n\ngrpc\n")
    let words = ["retry", "--profile", "wifi", "--seeds", "2", "--policy", "none, @\(file)", "--json"]
    // A plan changed by --equal keeps its original text as name, and the report's command can be run.
    let plans = ["full-jitter(base 1 s)", "grpc(throttle 20/0.1)"]
    let named = words.map { $0.hasPrefix("none") ? plans.joined(separator: ", ") : $0 }
    let first = try RetryReport(json: await shell.run(named + ["--equal"]).bytes)
    #expect(first.policies == plans && first.results.map(\.limits?.attempts) == [4, 4])
    #expect(first.plans == ["full-jitter(base 1 s) = full-jitter(base 1 s) + attempts(4)", "grpc(throttle 20/0.1)"])
    let repeated = named.map { $0.hasPrefix("full-jitter") ? first.plans.joined(separator: ", ") : $0 }
    #expect(await shell.run(repeated).bytes == (try first.json()) + Data("\n".utf8))
    let report = try RetryReport(json: await shell.run(words).bytes)
    #expect(report.policies == ["none", "ours", "grpc"])
    #expect(
      report.command.contains("--policy 'none, ours = full-jitter(base 1 s) + per-try(5 s), grpc'"), "\(report.command)"
    )
    #expect(report.results.map(\.limits?.text) == ["1 attempt", "3 attempts, 5 s each", "4 attempts"])
    #expect(
      try RetryReport(json: await shell.run(words + ["--per-try", "7 s"]).bytes).results.map(\.limits?.text) == [
        "1 attempt, 7 s each", "3 attempts, 5 s each", "4 attempts, 7 s each",
      ])
    let equal = try RetryReport(json: await shell.run(words + ["--equal"]).bytes)
    #expect(equal.policies == report.policies)
    #expect(equal.results.map(\.limits?.text) == ["1 attempt", "4 attempts, 5 s each", "4 attempts, 5 s each"])
    #expect(equal.findings(of: "wifi") == [])
    let again = await shell.run([
      "retry", "--profile", "wifi", "--seeds", "2", "--json", "--policy", equal.plans.joined(separator: ","),
    ])
    #expect(again.bytes == (try equal.json()) + Data("\n".utf8))
  }

  @Test func `a run that is worse than its baseline fails and prints the changes`() async throws {
    let scratch = try Scratch()
    func words(_ policy: String) -> [String] {
      [
        "retry", "--profile", "wifi", "--policy", "ours = \(policy)", "--clients", "12", "--seeds", "12", "--server",
        "100 ms, 2 at once, queue 2, 503",
      ]
    }
    let kept = try scratch.file("kept.json", await shell.run(words("full-jitter") + ["--json"]).output)
    let same = await shell.run(words("full-jitter") + ["--baseline", kept])
    let end = same.output.split(separator: "\n").suffix(2)
    #expect(same.status == .done && end.first == "Nothing is worse or better than the baseline, beyond noise.")
    #expect(end.last?.hasPrefix("With ") == true && end.last?.contains(" a rise of failures from ") == true)
    let junit = scratch.folder.appendingPathComponent("retry.xml").path
    let worse = await shell.run(words("none") + ["--baseline", kept, "--junit", junit, "--annotations"])
    #expect(worse.status == .failed)
    #expect(
      worse.output.contains("\nworse: wifi, ours: success ")
        && worse.output.contains("::error title=wifi ours::success "))
    #expect(worse.output.contains("better: wifi, ours: attempts per request "))
    let xml = try String(contentsOfFile: junit, encoding: .utf8)
    #expect(xml.contains(#"tests="5""#) && xml.contains("<failure message=\"success "))
    let other = await shell.run(words("none") + ["--seeds", "13", "--baseline", kept])
    #expect(other.status != .done && other.error.contains("seeds"), "\(other.error)")
    #expect(other.output.isEmpty, "it is refused before any trial")
  }

  @Test(arguments: [["--annotations"], ["--junit", "a.xml"]])
  func `an option that needs --baseline is refused without it, with an error that names the option`(option: [String])
    async
  {
    let run = await shell.run(["retry", "--profile", "wifi", "--policy", "none"] + option)
    #expect(run.status == .usage)
    #expect(run.error.contains(": \(option[0]) has no effect without --baseline FILE; add it"), "\(run.error)")
  }

  @Test func `CSV and HTML files are written, and an existing file is replaced`() async throws {
    let scratch = try Scratch()
    let csv = try scratch.file("a.csv", "old")
    let html = scratch.folder.appendingPathComponent("a.html").path
    let outcome = await shell.run(Self.small + ["--csv", csv, "--html", html])
    #expect(outcome.status == .done)
    #expect(scratch.names == ["a.csv", "a.html"])
    let rows = try String(contentsOfFile: csv, encoding: .utf8).split(separator: "\n")
    #expect(rows.count == 5 && rows[0].hasPrefix("profile,policy,trials,"))
    #expect(try String(contentsOfFile: html, encoding: .utf8).hasPrefix("<!doctype html>"))
  }

  @Test func `an SVG chart is written, and the HTML page draws a trial of each policy`() async throws {
    let scratch = try Scratch()
    let svg = scratch.folder.appendingPathComponent("a.svg").path
    let html = scratch.folder.appendingPathComponent("a.html").path
    let words = ["--svg", svg, "--html", html]
    #expect(await shell.run(Self.small + words).status == .done)
    #expect(try String(contentsOfFile: svg, encoding: .utf8).hasPrefix("<svg xmlns="))
    // One trial of each policy, under the seed by which they differ.
    #expect(try String(contentsOfFile: html, encoding: .utf8).components(separatedBy: "class=\"wait\"").count == 3)
  }

  @Test func `an unwritable output file fails the command, and other output files stay unchanged`() async throws {
    let scratch = try Scratch()
    let csv = try scratch.file("a.csv", "old")
    let outcome = await shell.run(Self.small + ["--csv", csv, "--html", "/nonexistent/a.html"])
    #expect(outcome.status == .failed)
    let error = #"netcond retry: "/nonexistent/a.html" cannot be written in the folder "/nonexistent": "#
    #expect(outcome.error == error + "No such file or directory (netcond explain unwritable-file)\n")
    #expect(scratch.names == ["a.csv"])
    #expect(try String(contentsOfFile: csv, encoding: .utf8) == "old")
  }

  @Test(arguments: [
    (
      ["--policy", "ful-jitter"],
      "no retry policy is called \"ful-jitter\"; did you mean \"full-jitter\" or \"equal-jitter\"? (netcond explain retry-policy)"
    ),
    (["--policy", "none,none"], "none is named twice"), (["--policy", "none,"], "has an empty name"),
    (
      ["--policy", "full-jitter(bas 1 s)"],
      "--policy: policy \"full-jitter(bas 1 s)\", at 13: \"bas\" is not a value of full-jitter; it has base, factor, cap, attempts"
    ),
    (["--policy", "grpc(attempts 1)"], "\"1\" is not a number of attempts from 2 to 5"),
    (["--policy", "none", "--until-decided"], "one policy cannot be compared"),
    (["--profile", "tunel"], "no profile is called \"tunel\"; did you mean \"tunnel\""),
    (["--profile", "3G,3G"], "3G is named twice"),
    (["--shard", "5/4"], "--shard: \"5/4\" is not a shard of the seeds"),
    (["--shard", "0/4"], "--shard: "), (["--shard", "1/0"], "--shard: "), (["--clients", "0"], "--clients: "),
    (["--requests", "x"], "--requests: "), (["--seeds", "0"], "--seeds: "), (["--get", "2 GB"], "more than 1 GiB"),
    (["--get", "2"], "--get: "), (["--method", "G T"], "--method: "),
    (["--deadline", "0 s"], "a deadline of zero or less"),
    (["--outage", "3 s..5 s, 4 s..6 s"], "outages that overlap"),
    (["--brown-out", "3 s..5 s x2, 4 s..6 s x5"], "brown-outs that overlap"),
    (["--arrival", "later"], "write together or \"poisson 10 s\""),
    (["--arrival", "poisson 0 s"], "arrivals over zero time"),
    (["--server", "20"], "--server: "), (["--server", "1 s, 4 at onec"], "\"4 at onec\" is not part of a server"),
    (["--server", "1 s, queue 4"], "no request ever waits"),
    (["--server", "pareto 1 s"], "is not a time; write for example"),
    (["--brown-out", "1 s..2 s"], "is not a brown-out; write for example"),
    (["--server", "measured 1 s 0 times"], "a bin with a count below 1"),
    (["--server", "1 s, 1 at once, queue 1, queue 2"], "the queue is given twice"),
    (["--margin", "1"], "--margin: \"1\" is not a margin; write 0.5 points or 1.5 times"),
    (["--margin", "1 times"], "--margin: "), (["--margin", "0 points"], "--margin: "),
    (["--server", "1 s, 1 at once, queue 0 s"], "write for example queue 2 s"),
    (["--server", "1 s, 1 at once, queue soon"], "--server: "),
    (["--server", "1 s, 1 at once, queue 2 s, 503"], "leave the status out"),
    (["--server", "1 s, 1 at once, queue all, 503"], "leave the status out"),
    (["--server", "1 s, 1 at once, 503, queue all"], "leave the status out"),
    (["--server", "1 s, keys soon"], "--server: "), (["--server", "1 s, keys 0 s"], "write for example 24 h"),
    (["--outage", "3 s"], "is not a time range"), (["--outage", "3 s..2 s"], "ends before it begins"),
    (["--outage", "3 s..x"], "--outage: "),
    (["--every", "1 s", "--think", "1 s"], "write one of the two"), (["--every", "soon"], "--every: "),
    (["--clients", "1000", "--requests", "101"], "a trial has room for 100000 requests"),
    (["--clients", "2000", "--get", "1 MB"], "a trial has room for 1 GiB"),
    (["--outage", "3 s..4 s in zone 1"], "--outage: "),
    (["--brown-out", "3 s..4 s x2000"], "a brown-out by a factor below 1"),
    (["--polcy", "none"], "did you mean --policy?"),
  ])
  func `a bad option is a usage error of one line that names the problem`(words: [String], part: String) async {
    let outcome = await shell.run(["retry"] + words)
    #expect(outcome.status == .usage)
    #expect(outcome.error.hasPrefix("netcond retry: ") && outcome.error.contains(part), "\(outcome.error)")
    #expect(outcome.error.filter { $0 == "\n" }.count == 1)
    #expect(outcome.output == "")
  }
}

import Pictures
import Testing

@testable import netcond

/// Whole outputs, so that a change of any word, column or number is seen.
///
/// Lists that grow with each profile, policy or command are left out.
struct PrintedTextTests {
  @Test(arguments: [
    ("simulate --seeds 20", "7015043146e88bad"),
    ("simulate --profile tunnel --get 1MB --tls --dns --seeds 20", "fb787766da5736bd"),
    ("simulate --profile 3G --put 200kB --seeds 20 --json", "c09932abb90dc414"),
    ("show tunnel", "44ccf7fc0e62c522"), ("show 3G --json", "65e329177983ec15"),
    ("show tunnel --at 10s", "f07e21761321207"), ("explain deadlock", "9477f0ba55212d21"),
    ("retry --profile flaky,wifi --policy none,full-jitter --seeds 4 --all", "acf4c5814628e730"),
    ("retry --profile flaky --method POST --policy none,immediate --seeds 4 --json", "a182de0d740d27ea"),
    ("get --profile tunnel --virtual --seed 7", "73c8c3f9409d3763"),
    ("get --profile 3G --virtual --verbose --seed 7", "79973720e537691b"),
    ("export tunnel --to toxiproxy", "c48bb8856fef520b"), ("export 3G --to netem", "f42132541d199aa9"),
    ("export tunnel --to mahimahi", "405223f52769efff"),
    ("help get", "98e42ab48b33bbf1"), ("help simulate", "f47f4b3fd5521aa"), ("help proxy", "7f370fa26116ec03"),
  ])
  func `what netcond prints is what somebody last looked at`(command: String, hash: String) async throws {
    let outcome = await Shell(width: 100).run(command.split(separator: " ").map(String.init))
    // The only number that no seed decides.
    let text = outcome.output.replacing(#/passed in [0-9.]+ m?s/#, with: "passed")
    let change = try Picture.change(of: text, since: hash, "\(command).txt")
    #expect(change == nil)
  }
}

import Pictures
import Testing

@testable import netcond

/// Whole outputs, so that the test notices a change of any word, column or number.
///
/// Lists that grow with each profile, policy or command are left out.
struct PrintedTextTests {
  @Test(arguments: [
    ("simulate --seeds 20", "5c41ccbb7d2556f7"),
    ("simulate --profile tunnel --get 1MB --tls --dns --seeds 20", "a4e9a0c502320327"),
    ("simulate --profile 3G --put 200kB --seeds 20 --json", "52152dcb72642dfc"),
    ("show tunnel", "4b0e834c71d4f8c6"), ("show 3G --json", "a4eae7e37b2a27af"),
    ("show tunnel --at 10s", "bc7734ba2814a1e5"), ("explain deadlock", "0cdc041747937721"),
    ("retry --profile flaky,wifi --policy none,full-jitter --seeds 4 --all", "6ce8d353446bbb6c"),
    ("retry --profile flaky --method POST --policy none,immediate --seeds 4 --json", "65378941dfefc626"),
    ("get --profile tunnel --virtual --seed 7", "5b5c6388cb251d39"),
    ("get --profile 3G --virtual --verbose --seed 7", "d35bc7e57d2798e1"),
    ("export tunnel --to toxiproxy", "e8bc95bd33a868b1"), ("export 3G --to netem", "ee032ded7281cd2b"),
    ("export tunnel --to mahimahi", "b5831891f902ce4d"),
    ("help get", "610124fd2da2cbbd"), ("help simulate", "8f540715a8ecef65"), ("help proxy", "417b93eaf9f30919"),
    ("help show", "080ec47329383af3"), ("help record", "d1965f936073c97b"), ("help merge", "92a6d4baa7adbcd4"),
    ("help check", "75536bcfeae0057a"),
  ])
  func `the texts that netcond prints equal the last reviewed ones`(command: String, hash: String) async throws {
    let outcome = await Shell(width: 100).run(command.split(separator: " ").map(String.init))
    // The only number that differs between runs with one seed.
    let text = outcome.output.replacing(#/passed in .+ of real/#, with: "passed of real")
    let changes = try Picture.changes(of: ("\(command).txt", text, hash))
    #expect(changes == [])
  }
}

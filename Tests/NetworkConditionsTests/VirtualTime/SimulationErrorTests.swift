import NetworkConditions
import Testing

struct SimulationErrorTests {
  @Test func `a deadlock lists equal calls once, with their number`() {
    let call = "DispatchSemaphore.wait, at Pool.swift:40"
    let error = SimulationError.deadlock(at: .zero, waiting: ["GET /a"], blocked: [call, "usleep", call, call])
    #expect("\(error)".contains("Open: GET /a; \(call) (3 times); usleep."), "\(error)")
  }

  @Test func `a deadlock counts as holding a thread only if a client's call is blocked`() {
    #expect(SimulationError.deadlock(at: .zero, waiting: [], blocked: ["usleep"]).holdsThread)
    #expect(!SimulationError.deadlock(at: .zero, waiting: ["GET /a"]).holdsThread)
  }

  @Test func `a run that used up its requests says how many it made, and in which time`() {
    let limits = [(RunLimit.requests(500), "500 requests in 0.000000 s"), (.time(.seconds(60)), "0.000000 s")]
    for (limit, spent) in limits {
      let error = SimulationError.unending(limit: limit, at: .zero, waiting: [], run: "under \"3G\"")
      let beginning = "The closure has not returned after \(spent) of virtual time: the limit is \(limit). "
      #expect("\(error)".hasPrefix(beginning), "\(error)")
    }
  }
}

import Testing
import URLLoading

@testable import NetworkConditions
@testable import TimelineReports

struct TraceEventReportTests {
  @Test func `the trace of one transfer has exactly the expected events and times`() async throws {
    let timeline = try await SampleNetworks.plain("/file")
    // 1448 bytes and 52 of headers take 12 ms at 1 Mbit/s, and every way takes 50 ms.
    #expect(
      TraceEventReport(timeline).text == """
        {"displayTimeUnit":"ms","otherData":{"profile":"plain","seed":"1","transfers":"1","droppedTransfers":"0",\
        "droppedEvents":"0"},"traceEvents":[
        {"name":"process_name","ph":"M","pid":1,"tid":0,"args":{"name":"network: plain, seed 1"}},
        {"name":"thread_name","ph":"M","pid":1,"tid":1,"args":{"name":"conditions"}},
        {"name":"plain","ph":"X","cat":"conditions","ts":0,"dur":230744,"pid":1,"tid":1,"args":{"profile":"plain",\
        "conditions":"down 1 Mbit/s, up 1 Mbit/s, round trip 100 ms"}},
        {"name":"link rate down","ph":"C","ts":0,"pid":1,"tid":0,"args":{"Mbit/s":1.0}},
        {"name":"throughput down","ph":"C","ts":0,"pid":1,"tid":0,"args":{"Mbit/s":0.0}},
        {"name":"throughput down","ph":"C","ts":209767.272,"pid":1,"tid":0,"args":{"Mbit/s":1.144}},
        {"name":"throughput down","ph":"C","ts":230744,"pid":1,"tid":0,"args":{"Mbit/s":0.0}},
        {"name":"process_name","ph":"M","pid":2,"tid":0,"args":{"name":"transfers"}},
        {"name":"thread_name","ph":"M","pid":2,"tid":1,"args":{"name":"transfers, track 1"}},
        {"name":"GET /file","ph":"X","cat":"transfer","ts":0,"dur":230744,"pid":2,"tid":1,\
        "args":{"url":"http://192.0.2.1/file","number":0,"outcome":"finished","protocol":"HTTP/1.1",\
        "status":200,"connection":0,"bytes received":3000,"bytes sent":0,"packets":15,"lost":0,"retransmissions":0}},
        {"name":"connecting","ph":"X","cat":"phase","ts":0,"dur":100960,"pid":2,"tid":1},
        {"name":"waiting","ph":"X","cat":"phase","ts":100960,"dur":104080,"pid":2,"tid":1},
        {"name":"receiving","ph":"X","cat":"phase","ts":205040,"dur":25704,"pid":2,"tid":1}
        ]}

        """)
  }

  private struct Trace: Decodable {
    struct Event: Decodable {
      var name: String
      var ph: String
      var cat: String?
      var ts: Double?
      var dur: Double?
      var pid: Int
      var tid: Int
      var s: String?
      var args: [String: Value]?
    }

    enum Value: Decodable {
      case text(String)
      case number(Double)

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Double.self) {
          self = .number(number)
        } else {
          self = .text(try container.decode(String.self))
        }
      }
    }

    var traceEvents: [Event]
    var displayTimeUnit: String
  }

  @Test func `every trace event has the fields of its kind, and slices of one track are nested or disjoint`()
    async throws
  {
    let timeline = try await SampleNetworks.ride(36)
    let trace = try JSONDecoder().decode(Trace.self, from: Data(TraceEventReport(timeline).text.utf8))
    #expect(trace.displayTimeUnit == "ms")
    var named: Set<[Int]> = []
    for event in trace.traceEvents {
      switch event.ph {
      case "M":
        #expect(["process_name", "thread_name"].contains(event.name))
        guard case .text? = event.args?["name"] else { Issue.record("\(event) has no name"); continue }
        if event.name == "thread_name" { named.insert([event.pid, event.tid]) }
      case "X":
        #expect(event.ts ?? -1 >= 0 && event.dur ?? -1 >= 0 && event.cat != nil)
        #expect(named.contains([event.pid, event.tid]))
      case "i":
        #expect(event.ts ?? -1 >= 0 && ["t", "g"].contains(event.s))
        #expect(named.contains([event.pid, event.tid]))
      case "C":
        guard case .number? = event.args?["Mbit/s"] else { Issue.record("\(event) has no value"); continue }
        #expect(event.ts ?? -1 >= 0)
      default: Issue.record("\(event.ph) is not a kind that is written")
      }
    }
    let tracks = Dictionary(grouping: trace.traceEvents.filter { $0.cat == "transfer" }) { [$0.pid, $0.tid] }
    #expect(tracks.count > 1)
    for slices in tracks.values {
      for (first, second) in zip(slices, slices.dropFirst()) {
        #expect((first.ts ?? 0) + (first.dur ?? 0) <= (second.ts ?? 0) + 0.0005)
      }
    }
    // Phases follow their transfer, and their lengths add up to its length.
    let slices = trace.traceEvents.filter { $0.ph == "X" && $0.pid > 1 }
    #expect(slices.count { $0.cat == "transfer" } == 36)
    var rest = 0.0
    for slice in slices {
      if slice.cat == "transfer" {
        #expect(abs(rest) < 0.01)
        rest = slice.dur ?? 0
      } else {
        rest -= slice.dur ?? 0
      }
    }
    // Each loss, repetition and fault of the timeline is an instant.
    let instants = Dictionary(grouping: trace.traceEvents.filter { $0.ph == "i" }) { $0.name }
    let lost = timeline.events.count { if case .packetLost = $0.kind { true } else { false } }
    let faults = timeline.events.count { if case .fault = $0.kind { true } else { false } }
    #expect(instants["packet lost"]?.count == lost && lost > 10)
    #expect(instants["fault"]?.count == faults && faults > 0)
  }

  @Test func `each client is its own process in the trace`() async throws {
    let timeline = try await Simulation(SampleNetworks.plain, seed: 1) { network in
      network.stub("*", with: .bytes(count: 10))
      for number in [2, 5] {
        _ = try await network.client(number).data(for: URLRequest(url: URL(string: "http://192.0.2.1/")!))
      }
      return network.timeline
    }.value
    let text = TraceEventReport(timeline).text
    #expect(text.contains(#""pid":2,"tid":0,"args":{"name":"client 2"}"#))
    #expect(text.contains(#""pid":3,"tid":0,"args":{"name":"client 5"}"#))
  }

  @Test func `a transfer that begins when another ends reuses its track`() {
    func transfer(_ number: Int, _ start: Int64, _ end: Int64) -> Transfer {
      var transfer = Transfer(
        number: number, method: "GET", url: "http://a.example/", occurrence: 1, profile: "p",
        started: SimulatedInstant(nanoseconds: start))
      (transfer.ended, transfer.outcome) = (SimulatedInstant(nanoseconds: end), .finished)
      return transfer
    }
    let now = SimulatedInstant(nanoseconds: 30)
    #expect(Lanes([transfer(0, 0, 10), transfer(1, 10, 20)], until: now).counts == [1])
    #expect(Lanes([transfer(0, 0, 10), transfer(1, 9, 20)], until: now).counts == [2])
  }

  @Test func `an instant event of a transfer marks its track, and one of the network marks all tracks`() {
    func scope(_ process: Int) -> Bool {
      TraceEvent(kind: .instant, name: "x", process: process, thread: 1).json.contains("\"s\":\"g\"")
    }
    #expect(scope(TraceEvent.networkProcess) && !scope(TraceEvent.networkProcess + 1))
  }

  @Test func `an unlimited link has no counter of its rate`() async throws {
    let timeline = try await Simulation(NetworkProfile(name: "free", base: .unlimited)) { network in
      network.stub("*", with: .bytes(count: 10))
      _ = try await network.data(for: URLRequest(url: URL(string: "http://192.0.2.1/")!))
      return network.timeline
    }.value
    #expect(!TraceEventReport(timeline).text.contains("link rate"))
  }

  @Test func `a trace says how many transfers it has, and how many transfers and events were dropped`() {
    let timeline = Timeline(
      transfers: [], droppedTransfers: 3, events: [], droppedEvents: 5, seed: 7, profile: "p", conditions: [],
      packets: [], time: .zero)
    let facts = #""profile":"p","seed":"7","transfers":"0","droppedTransfers":"3","droppedEvents":"5""#
    #expect(TraceEventReport(timeline).text.contains("\"otherData\":{\(facts)}"))
  }

  @Test func `a timeline without events gives a valid trace`() throws {
    let network = SimulatedNetwork("3G", pace: .immediate)
    let trace = try JSONDecoder().decode(Trace.self, from: Data(TraceEventReport(network.timeline).text.utf8))
    #expect(trace.traceEvents.allSatisfy { $0.cat != "transfer" })
  }
}

import Internals
import LinkSimulator
import NetworkConditions

/// One workload of a file: what a client requests over a link and, if measured, when each request finished.
struct WorkloadCase {
  let name: String
  let kind: String
  let workload: WorkloadScenario
  /// The measured runs: when each request finished in seconds, or infinity.
  let runs: [[Double]]

  /// The default jitter with which hosts send packets, if the file describes its `apparatus`.
  ///
  /// The value was chosen to fit 96 measured workloads (*How true it is*); it was not measured itself.
  static let noise = Duration.microseconds(30)
  static let mostRequests = 10_000

  static func all(_ list: [FormatReader], excess: Duration, limit: Duration) throws -> [WorkloadCase] {
    let cases = try list.map { try WorkloadCase($0, excess: excess, limit: limit) }
    var names: Set<String> = []
    for (place, item) in cases.enumerated() where !names.insert(item.name).inserted {
      throw list[place].error("\"\(item.name)\" is also the name of another case; each needs its own")
    }
    return cases
  }

  init(_ reader: FormatReader, excess: Duration, limit: Duration) throws {
    let fields = try reader.openObject(of: "a case")
    let name = try fields.required("name", "write for example \"name\": \"page 3G\"").string("a case's name")
    let link = try NetworkProfile(try fields.required("link", "write a whole profile there, as in a file"))
    let client = try Self.client(try fields.required("protocol", "write for example \"protocol\": \"h2\""))
    let noise = fields["apparatus"] == nil ? Duration.zero : Self.noise
    try self.init(
      fields, name: name, over: link, client, Self.requests, excess: excess, noise: noise, limit: limit)
  }

  /// Reads the user's own workload, which does not describe the network; unknown keys are errors.
  init(page reader: FormatReader, named file: String, over profile: NetworkProfile, limit: Duration) throws {
    let keys = ["name", "protocol", "connections_per_host", "congestion_control", "apparatus", "workload"]
    let fields = try reader.object(keys: keys, of: "a workload's file")
    _ = try fields["apparatus"]?.object(keys: Self.apparatusKeys, of: "the apparatus")
    try self.init(
      fields, name: try fields["name"]?.string("a name") ?? file, over: profile,
      try fields["protocol"].map(Self.client) ?? .http2, Self.strictRequests, excess: .zero, noise: Self.noise,
      limit: limit)
  }

  private init(
    _ fields: FormatObject, name: String, over link: NetworkProfile, _ client: WorkloadScenario.Client,
    _ read: (FormatReader) throws -> [WorkloadScenario.Request], excess: Duration, noise: Duration, limit: Duration
  ) throws {
    self.name = name
    kind = try fields["kind"]?.string("a kind of workload") ?? ""
    let apparatus = try fields["apparatus"]?.openObject(of: "the apparatus")
    func cost(_ key: String, or usual: Duration) throws -> Duration {
      try apparatus?[key].map { try Self.milliseconds($0) } ?? usual
    }
    let requests = try read(try fields.required("workload", "write for example \"workload\": [...]"))
    let excess = try cost("rtt_excess_ms", or: excess)
    // The excess was measured on single round trips. Waking each of the two programs takes a quarter of it. The kernels
    // and the relay took the rest. The link gets four fifths of that, since under load they sleep less.
    let noise = try cost("noise_ms", or: noise)
    var workload = WorkloadScenario(client, requests, over: link.slower(by: excess * 2 / 5).noisier(by: noise).schedule)
    workload.costs.waking = excess / 4
    workload.configuration = link.configuration
    workload.limit = limit
    if let count = try fields["connections_per_host"]?.wholeNumber(1...10_000, "a number of connections") {
      workload.configuration.connectionsPerHost = Int(count)
    }
    if let given = fields["congestion_control"] {
      let control = try TransferCase.control(given, try given.string("a congestion control"))
      guard let control else { throw given.error("\(given.value.shown) is not simulated; write \"cubic\"") }
      workload.configuration.congestionControl = control
    }
    workload.costs.connect = try cost("connect_delay_ms", or: .zero)
    workload.costs.thinking = try cost("server_think_ms", or: .zero)
    workload.costs.reaction = try cost("client_delay_ms", or: .zero)
    workload.costs.call = try cost("call_ms", or: .microseconds(apparatus == nil ? 0 : 20))
    self.workload = workload
    let measured = try fields["runs"]?.elements(of: "the measured runs") ?? []
    runs = try measured.map { try Self.finishTimes($0, of: requests) }
  }

  private static func client(_ reader: FormatReader) throws -> WorkloadScenario.Client {
    let name = try reader.string("a protocol")
    guard let client = WorkloadScenario.Client(rawValue: name) else {
      let names = WorkloadScenario.Client.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
      throw reader.error("\(reader.value.shown) is not a protocol; write \(names)")
    }
    return client
  }

  private static func milliseconds(_ reader: FormatReader) throws -> Duration {
    let time = try reader.number(0...TransferCase.longest * 1_000, "a time in milliseconds")
    return .nanoseconds(Int64((time * 1e6).rounded()))
  }

  private static let apparatusKeys = [
    "rtt_excess_ms", "server_think_ms", "client_delay_ms", "connect_delay_ms", "call_ms", "noise_ms",
  ]
  private static let requestKeys = [
    "id", "host", "path", "method", "request_bytes", "response_bytes", "at_ms", "after", "wait_ms", "close", "expect",
  ]

  private static func strictRequests(_ reader: FormatReader) throws -> [WorkloadScenario.Request] {
    for item in try reader.elements(of: "the requests") {
      _ = try item.object(keys: requestKeys, of: "a request")
    }
    return try requests(reader)
  }

  private static func requests(_ reader: FormatReader) throws -> [WorkloadScenario.Request] {
    let list = try reader.elements(of: "the requests")
    guard (1...mostRequests).contains(list.count) else {
      throw reader.error("a workload has 1 to \(mostRequests) requests, not \(list.count)")
    }
    var places: [String: Int] = [:]
    return try list.enumerated().map { place, item in
      let fields = try item.openObject(of: "a request")
      let id = try fields.required("id", "write for example \"id\": \"0\"")
      let request = try request(fields, id: try id.string("a request's name"), after: places)
      guard places.updateValue(place, forKey: request.id) == nil else {
        throw id.error("\(id.value.shown) is also the name of another request; each needs its own")
      }
      return request
    }
  }

  private static func request(
    _ fields: FormatObject, id: String, after places: [String: Int]
  ) throws -> WorkloadScenario.Request {
    let method = try fields["method"].map { reader in
      let name = try reader.string("a method")
      guard let method = TransferScenario.Method(rawValue: name.lowercased()) else {
        throw reader.error("\(reader.value.shown) is not a method of a workload; write \"GET\" or \"PUT\"")
      }
      return method
    }
    var request = WorkloadScenario.Request(
      id: id, host: try fields["host"]?.string("a host") ?? "", path: try fields["path"]?.string("a path") ?? "/",
      method: method ?? .get)
    func bytes(_ key: String) throws -> Int64 {
      try fields[key]?.wholeNumber(0...TransferCase.mostBytes, "a number of bytes") ?? 0
    }
    request.requestBytes = try bytes("request_bytes")
    if let size = fields["request_bytes"], request.requestBytes > 0, request.method == .get {
      throw size.error("a GET sends no body; write \"method\": \"PUT\" beside it")
    }
    request.responseBytes = try bytes("response_bytes")
    request.after =
      try fields["after"]?.elements(of: "the requests before").map { reader in
        guard let place = places[try reader.string("a request's name")] else {
          throw reader.error("\(reader.value.shown) is not a request before this one; list it earlier")
        }
        return place
      } ?? []
    if let wait = fields["wait_ms"] { request.wait = try milliseconds(wait) }
    if let start = fields["at_ms"] { request.start = try milliseconds(start) }
    request.closes = try fields["close"]?.bool() ?? false
    request.expects = try fields["expect"]?.bool() ?? false
    return request
  }

  private static func finishTimes(_ reader: FormatReader, of requests: [WorkloadScenario.Request]) throws -> [Double] {
    let finish = try reader.openObject(of: "a run")
      .required("finish", "write for example \"finish\": {\"0\": 0.43}").openObject(of: "the times")
    return try requests.map { request in
      guard let time = finish[request.id], time.value != .null else { return .infinity }
      return try time.number(0...TransferCase.longest, "a time in seconds")
    }
  }
}

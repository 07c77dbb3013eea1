/// The requests that a stub records: the latest ones, within a number and within a size in memory.
struct RequestLog: Sendable {
  /// The most bytes of bodies, in memory: 256 MiB.
  private static let mostBytes: Int64 = 256 << 20

  private var requests: [RecordedRequest] = []
  private var bytes: Int64 = 0
  private let limit: Int

  init(limit: Int) {
    self.limit = limit
  }

  var all: [RecordedRequest] { Array(requests.suffix(limit)) }

  /// Adds a request, and removes the oldest ones beyond the limits.
  mutating func append(_ request: RecordedRequest) {
    requests.append(request)
    bytes += request.size
    // By number in one sweep, once there are twice as many as wanted.
    var surplus = requests.count > limit * 2 ? requests.count - limit : 0
    for request in requests.prefix(surplus) { bytes -= request.size }
    while bytes > Self.mostBytes, surplus < requests.count - 1 {
      bytes -= requests[surplus].size
      surplus += 1
    }
    requests.removeFirst(surplus)
  }
}

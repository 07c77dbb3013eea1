struct RequestLog: Sendable {
  /// The limit for bodies in memory: 256 MiB.
  private static let mostBytes: Int64 = 256 << 20

  private var requests: [RecordedRequest] = []
  private var bytes: Int64 = 0
  private let limit: Int

  init(limit: Int) {
    self.limit = limit
  }

  var all: [RecordedRequest] { Array(requests.suffix(limit)) }

  mutating func append(_ request: RecordedRequest) {
    requests.append(request)
    bytes += request.size
    // Remove by number only when there are twice as many as allowed, all at once.
    var surplus = requests.count > limit * 2 ? requests.count - limit : 0
    for request in requests.prefix(surplus) { bytes -= request.size }
    while bytes > Self.mostBytes, surplus < requests.count - 1 {
      bytes -= requests[surplus].size
      surplus += 1
    }
    requests.removeFirst(surplus)
  }
}

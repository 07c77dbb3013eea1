/// What a stub's routes have in common.
struct StubSettings: Sendable {
  /// The way to real servers.
  let passthrough: any Transport
  /// What is left out of texts; `nil` is what the network leaves out.
  let redaction: Redaction?
  /// How many requests each route keeps.
  let recordingLimit: Int

  /// Keeps a request, and forgets the oldest in one sweep once there are twice as many as wanted.
  func record(_ request: RecordedRequest, in list: inout [RecordedRequest]) {
    list.append(request)
    if list.count > recordingLimit * 2 { list.removeFirst(list.count - recordingLimit) }
  }
}

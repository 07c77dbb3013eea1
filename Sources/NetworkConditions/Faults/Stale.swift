/// A cache answers in the server's place with the last response to a GET request with this URL (RFC 9111, 4.2.4).
///
/// The cache obeys `Cache-Control`. The fault has no effect before such a response, on a request with `Authorization`,
/// or in a proxy.
struct Stale: Fault {
  static let key = "stale"
  var requestFault: RequestFault { .stale }
  var words: String { "stale response of a cache" }
  func canHappen(to line: RequestLine) -> Bool { line.isCached }
  func decide(in plan: inout FaultPlan) -> Bool { plan.answer(nil) }
  var weaker: [RequestFault] { [] }
}

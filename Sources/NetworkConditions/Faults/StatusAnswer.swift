import URLLoading

/// The server answers with a status instead, and may say when to try again.
struct StatusAnswer: Fault {
  var code = 503
  var wait: Duration?

  static let kind = FaultKind.status
  static let form = FaultForm<StatusAnswer>.object(
    "a status", [.count("code", \.code, codes, of: "a status", example: 503), .duration("retryAfter", \.wait)])
  private static let codes = 100...599
  var requestFault: RequestFault { .status(code: code, retryAfter: wait) }
  var words: String { "status \(code)" + (wait.map { ", retry after \($0.formatText)" } ?? "") }

  var problem: String? {
    guard Self.codes.contains(code) else { return "\(code) is not a status; one is from 100 to 599" }
    return wait.flatMap { $0 < .zero ? "one cannot try again after \($0)" : nil }
  }

  func decide(in plan: inout FaultPlan) -> Bool {
    plan.answer(
      OwnAnswer(code: code, fields: wait.map { [HeaderField("Retry-After", "\($0.secondsRoundedUp)")] } ?? []))
  }

  var weaker: [RequestFault] { wait == nil ? [] : [.status(code: code)] }
}

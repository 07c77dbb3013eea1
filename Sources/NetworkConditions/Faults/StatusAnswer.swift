import Foundation

struct StatusAnswer: Fault {
  var code = 503
  var wait: Duration?
  var page: String?
  var times = 1

  static let key = "status"
  static let form = FaultForm<StatusAnswer>.object(
    "a status",
    [
      .count("code", \.code, codes, of: "a status", example: 503), .duration("retryAfter", \.wait),
      .text("page", \.page, of: "a web page"),
      .count("times", \.times, repetitions, of: "a number of requests", usually: 1),
    ])
  private static let codes = 100...599
  private static let repetitions = 1...1_000
  var requestFault: RequestFault { .status(code: code, retryAfter: wait, page: page, times: times) }
  var words: String {
    "status \(code)" + (page == nil ? "" : " with a web page") + (wait.map { ", retry after \($0.formatText)" } ?? "")
      + (times == 1 ? "" : ", \(times) times in a row")
  }

  var problem: String? {
    guard Self.codes.contains(code) else { return "\(code) is not a status; write 100 to 599" }
    guard Self.repetitions.contains(times) else {
      return "\(times) is not a number of requests; write 1 to 1000"
    }
    return wait.flatMap { $0 < .zero ? "retryAfter cannot be negative: \($0)" : nil }
  }

  func canHappen(to line: RequestLine) -> Bool { !line.isOpaque }

  func decide(in plan: inout FaultPlan) -> Bool {
    let type = page.map { _ in HeaderField("Content-Type", "text/html; charset=utf-8") }
    let wait = wait.map { HeaderField("Retry-After", "\($0.secondsRoundedUp)") }
    return plan.answer(
      OwnAnswer(code: code, fields: [type, wait].compactMap(\.self), body: page.map { Data($0.utf8) } ?? Data()))
  }

  var weaker: [RequestFault] {
    let fewer = (times > 1 ? Set([1, times - 1]) : []).sorted().map {
      RequestFault.status(code: code, retryAfter: wait, page: page, times: $0)
    }
    return wait == nil ? fewer : [.status(code: code, page: page, times: times)] + fewer
  }
}

extension RequestFault {
  /// A web page instead of the answer, as a captive portal or a server under repair sends it.
  package static let loginPage = RequestFault.status(code: 200, page: "<p>Please log in.</p>")
}

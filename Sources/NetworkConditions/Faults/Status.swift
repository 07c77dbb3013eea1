import Foundation

struct Status: Fault {
  var code = 503
  var wait: Duration?
  /// How far ahead the date of `Retry-After` is.
  var date: Duration?
  var page: String?
  var times = 1

  static let key = "status"
  static let form = FaultForm<Status>.object(
    "a status",
    [
      .count("code", \.code, codes, of: "a status", example: 503), .duration("retryAfter", \.wait),
      .duration("retryAfterDateIn", \.date), .text("page", \.page, of: "a web page"),
      .count("times", \.times, repetitions, of: "a number of requests", usually: 1),
    ])
  private static let codes = 100...599
  private static let repetitions = 1...1_000
  var requestFault: RequestFault {
    .status(code: code, retryAfter: wait, retryAfterDateIn: date, page: page, times: times)
  }
  var words: String {
    "status \(code)" + (page == nil ? "" : " with a web page") + (wait.map { ", retry after \($0.formatText)" } ?? "")
      + (date.map { ", retry after the date in \($0.formatText)" } ?? "")
      + (times == 1 ? "" : ", \(times) times in a row")
  }

  var problem: String? {
    guard Self.codes.contains(code) else { return "\(code) is not a status; write 100 to 599" }
    guard Self.repetitions.contains(times) else {
      return "\(times) is not a number of requests; write 1 to 1000"
    }
    if wait != nil, date != nil { return "retryAfter and retryAfterDateIn exclude each other" }
    for (name, wait) in [("retryAfter", wait), ("retryAfterDateIn", date)] {
      if let wait, wait < .zero { return "\(name) cannot be negative: \(wait)" }
    }
    return nil
  }

  func canHappen(to line: RequestLine) -> Bool { !line.isOpaque }

  func decide(in plan: inout FaultPlan) -> Bool {
    let type = page.map { _ in HeaderField("Content-Type", "text/html; charset=utf-8") }
    let wait = wait.map { HeaderField("Retry-After", "\($0.secondsRoundedUp)") }
    return plan.answer(
      OwnAnswer(
        code: code, fields: [type, wait].compactMap(\.self), retryDate: date,
        body: page.map { Data($0.utf8) } ?? Data()))
  }

  var weaker: [RequestFault] {
    let fewer = (times > 1 ? Set([1, times - 1]) : []).sorted().map { times in
      var fewer = self
      fewer.times = times
      return fewer
    }
    var atOnce = self
    (atOnce.wait, atOnce.date) = (nil, nil)
    return ((wait ?? date) == nil ? fewer : [atOnce] + fewer).map(\.requestFault)
  }
}

extension RequestFault {
  /// A web page instead of the answer, as a captive portal or a server under repair sends it.
  package static let loginPage = RequestFault.status(code: 200, page: "<p>Please log in.</p>")
}

import URLLoading

struct Redirect: Fault {
  var location = nowhere

  /// A URL that nothing can load (CSS Values and Units 4, section 4.5.4).
  static let nowhere = "about:invalid"

  static let key = "redirect"
  static let form = FaultForm<Redirect>.quantity(
    .text("to", \.location, of: "the target of a redirect", example: nowhere))
  var requestFault: RequestFault { .redirect(to: location) }
  var words: String { location == Self.nowhere ? "redirect to nowhere" : "redirect to \(location)" }

  var problem: String? {
    location.isEmpty || location.unicodeScalars.contains { $0.value <= 0x20 || $0.value == 0x7F }
      ? "\(location.quoted) is not a target for a redirect; write a URL, or \(Self.nowhere.quoted)" : nil
  }

  func canHappen(to line: RequestLine) -> Bool { !line.isOpaque }

  func decide(in plan: inout FaultPlan) -> Bool {
    plan.answer(OwnAnswer(code: 302, fields: [HeaderField("Location", location)]))
  }
}

extension RequestFault {
  package static let redirectToNowhere = RequestFault.redirect(to: Redirect.nowhere)
}

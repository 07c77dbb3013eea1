import Foundation
import NetworkConditions

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What `--verbose` prints: headers without secrets, and events, one line each.
struct EventLog: Sendable {
  let console: Console

  /// An event's line; pieces of body have none, since there are thousands of them.
  func show(_ event: NetworkEvent) {
    let style = console.errorStyle
    let role: Style.Role
    var text = "\(event.kind)"
    switch event.kind {
    case .received, .uploaded: return
    case .started(let method, let url): (role, text) = (.plain, "started \(method) \(Secrets.url(url))")
    case .redirected(let url): (role, text) = (.plain, "redirected to \(Secrets.url(url))")
    case .packetLost, .retransmitted, .stalled: role = .warning
    case .failed(let code): (role, text) = (.bad, "failed (\(Failure.name(of: code)))")
    case .timedOut, .fault, .cancelled: role = .bad
    case .phaseEntered, .conditionsChanged: role = .strong
    default: role = .plain
    }
    console.error("\(style(.faint, "\(event.time)".padded(to: 14, right: true)))  \(style(role, text.printable))\n")
  }

  func show(_ request: URLRequest) {
    let path = request.url.map { Secrets.url($0.absoluteString) } ?? ""
    lines(">", ["\(request.httpMethod ?? "GET") \(path)"] + fields(request.allHTTPHeaderFields ?? [:]))
  }

  func show(_ response: HTTPURLResponse) {
    lines("<", ["\(response.statusCode)"] + fields(Secrets.headers(of: response)))
  }

  private func fields(_ headers: [String: String]) -> [String] {
    Redaction.standard.headers(headers).map { "\($0.name): \($0.value)" }
  }

  private func lines(_ mark: String, _ lines: [String]) {
    for line in lines { console.error("\(console.errorStyle(.faint, mark)) \(line.printable)\n") }
  }
}

/// What must not be shown.
enum Secrets {
  /// A URL without its password.
  static func url(_ text: String) -> String {
    guard text.contains("@"), var parts = URLComponents(string: text), parts.password != nil else { return text }
    parts.password = "redacted"
    return parts.string ?? text
  }

  /// The fields of a response as texts.
  static func headers(of response: HTTPURLResponse) -> [String: String] {
    var headers: [String: String] = [:]
    for (name, value) in response.allHeaderFields { headers["\(name)"] = "\(value)" }
    return headers
  }
}

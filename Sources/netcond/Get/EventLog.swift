import NetworkConditions
import URLLoading

/// What `--verbose` prints: headers without secrets, and events, one line each.
struct EventLog: Sendable {
  let console: Console
  let redaction: Redaction

  /// An event's line; pieces of body have none, since there are thousands of them.
  func show(_ event: NetworkEvent) {
    let style = console.errorStyle
    let role: Style.Role
    var text = "\(event.kind)"
    switch event.kind {
    case .received, .uploaded: return
    case .packetLost, .retransmitted, .stalled: role = .warning
    case .failed(let code): (role, text) = (.bad, "failed (\(Failure.name(of: code)))")
    case .timedOut, .fault, .cancelled: role = .bad
    case .phaseEntered, .conditionsChanged: role = .strong
    default: role = .plain
    }
    console.error("\(style(.faint, "\(event.time)".padded(to: 14, right: true)))  \(style(role, text.printable))\n")
  }

  func show(_ request: URLRequest) {
    let url = redaction.url(request.url?.absoluteString ?? "")
    lines(">", "\(request.httpMethod ?? "GET") \(url)", redaction.headers(request.allHTTPHeaderFields ?? [:]))
  }

  func show(_ response: HTTPURLResponse) {
    lines("<", "\(response.statusCode)", redaction.headers(of: response))
  }

  private func lines(_ mark: String, _ first: String, _ fields: [HeaderField]) {
    for line in [first] + fields.map({ "\($0.name): \($0.value)" }) {
      console.error("\(console.errorStyle(.faint, mark)) \(line.printable)\n")
    }
  }
}

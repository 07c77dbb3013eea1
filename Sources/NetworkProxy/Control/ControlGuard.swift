import Foundation
import NetworkConditions

/// Decides who may use the control API, and where it may listen: only programs on this machine, and no web page.
///
/// DNS rebinding or a cross-site request could let a page in. `Host` and `Origin`, which no page can change, show that.
struct ControlGuard {
  /// The addresses beyond loopback that the person who started the proxy has opened.
  var named: [SocketAddress] = []

  func refusal(of request: ControlRequest) -> ControlAnswer? {
    // toxiproxy detects browsers in the same way.
    if request.fields["user-agent"].contains(where: { $0.hasPrefix("Mozilla/") }) {
      return ControlAnswer(status: 403, text: "User agent not allowed\n")
    }
    guard accepts(host: request.host) else {
      return ControlError(
        403, "The Host \(request.host.quoted) does not belong to this machine; use 127.0.0.1, localhost or [::1]."
      ).answer
    }
    let origins = request.fields["origin"].map { $0.lowercased() }
    guard origins.allSatisfy({ $0 == "http://\(request.host.lowercased())" }),
      request.fields["sec-fetch-site"].allSatisfy({ ["same-origin", "none"].contains($0.lowercased()) })
    else {
      let origin = request.fields["origin"].first ?? "another site"
      return ControlError(403, "A page from \(origin.quoted) may not use the API; use a program that is not a browser.")
        .answer
    }
    return nil
  }

  /// Whether a `Host` field names this machine: loopback, or an address that was opened at the start.
  private func accepts(host text: String) -> Bool {
    guard let (host, isName) = Self.host(of: text) else { return false }
    let isOpen = named.contains { !$0.isLoopback }
    // A name without a dot is not on the internet; containers have such names.
    if isName { return host.lowercased() == "localhost" || isOpen && !host.contains(".") }
    guard let address = SocketAddress(host: host, port: 0) else { return false }
    return address.isLoopback || covers(address)
  }

  private func covers(_ address: SocketAddress) -> Bool {
    named.contains { $0.isUnspecified || $0.bytes == address.bytes }
  }

  /// Whether a request may open a port at this address: on loopback always, elsewhere only on an address from the start.
  func mayListen(at address: SocketAddress) -> Bool { address.isLoopback || covers(address) }

  /// Returns the host of a `Host` field without its port, and whether it is a name; `nil` for a malformed one.
  private static func host(of text: String) -> (String, isName: Bool)? {
    let isBracketed = text.hasPrefix("[")
    guard let end = isBracketed ? text.firstIndex(of: "]").map({ text.index(after: $0) }) : text.firstIndex(of: ":")
    else {
      return isBracketed ? nil : named(text)
    }
    let port = text[end...]
    guard port.isEmpty || port.hasPrefix(":") && port.dropFirst().utf8.allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    guard isBracketed else { return named(String(text[..<end])) }
    let host = String(text[..<end].dropFirst().dropLast())
    return SocketAddress.bytes(of: host, AF_INET6, 16) == nil ? nil : (host, false)
  }

  private static func named(_ host: String) -> (String, isName: Bool)? {
    guard !host.isEmpty, host.utf8.allSatisfy(HTTPHead.isToken) else { return nil }
    return (host, SocketAddress.bytes(of: host, AF_INET, 4) == nil)
  }
}

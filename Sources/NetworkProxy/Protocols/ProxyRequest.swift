import Foundation

/// A client's request to a proxy, with its target, parsed from its head (RFC 9110, 9.3.6; RFC 9112, 3.2).
struct ProxyRequest: Equatable {
  struct Target: Hashable {
    var host: String
    var port: UInt16

    /// Reads `host:port`, or a host alone if there is a default port.
    init(authority: Substring, usualPort: UInt16? = nil) throws(HTTPError) {
      // The text before an @ is user information and not part of the server's address.
      let text = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
      let isBracketed = text.hasPrefix("[") && text.contains("]")
      let end = isBracketed ? text.firstIndex(of: "]").map { text.index(after: $0) } : text.lastIndex(of: ":")
      let (name, rest) = (text[..<(end ?? text.endIndex)], text[(end ?? text.endIndex)...])
      let host = isBracketed ? name.dropFirst().dropLast() : name
      let isName = host.utf8.allSatisfy { HTTPHead.isToken($0) || $0 >= 128 }
      guard !host.isEmpty, host.utf8.count <= 255,
        isBracketed ? SocketAddress.bytes(of: String(host), AF_INET6, 16) != nil : isName
      else { throw HTTPError("The target \"\(text.prefix(80))\" has no host.") }
      self.host = String(host)
      if rest.isEmpty || rest == ":", let usualPort {
        port = usualPort
      } else {
        guard rest.hasPrefix(":"), let port = UInt16(rest.dropFirst()), port > 0 else {
          throw HTTPError(
            "The target \"\(text.prefix(80))\" has no port from 1 to 65535; write for example example.com:443.")
        }
        self.port = port
      }
    }

    init(host: String, port: UInt16) {
      self.host = host
      self.port = port
    }

    var authority: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// The URL that stands for a tunnel in rules and timelines.
    var url: String {
      let name = host.contains(":") ? "[\(host)]" : host
      return port == 443 ? "https://\(name)/" : "tcp://\(name):\(port)/"
    }
  }

  enum Kind: Equatable {
    case connect
    case fetch(url: String)
    case direct
  }

  let method: String
  let kind: Kind
  let target: Target
  let framing: HTTPBodyFraming
  /// Whether the request is HTTP/1.0, which has neither chunks nor interim answers.
  let isOld: Bool
  /// Whether the client's connection closes after the answer, and whether the client asks for an upgrade.
  let closes: Bool
  let upgrades: Bool
  /// Whether the client sends the body only after `100 Continue` (RFC 9110, section 10.1.1).
  let expectsContinue: Bool
  let forwarded: [UInt8]

  init(_ head: HTTPHead) throws(HTTPError) {
    let parts = head.firstLine.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, parts[0].utf8.allSatisfy(HTTPHead.isToken),
      parts[0].utf8.count <= 64
    else { throw HTTPError("The first line is not an HTTP/1.1 request.") }
    guard ["HTTP/1.1", "HTTP/1.0"].contains(parts[2]) else {
      throw HTTPError("Only HTTP/1.0 and HTTP/1.1 are supported here.", status: 505)
    }
    guard parts[1].utf8.allSatisfy({ $0 > 32 && $0 != 127 }) else {
      throw HTTPError("The target has a space or a control character.")
    }
    method = String(parts[0])
    isOld = parts[2] == "HTTP/1.0"
    framing = try HTTPBodyFraming(ofRequest: head.fields, isOld: isOld)
    guard head.fields["host"].count < 2 else { throw HTTPError("Host is given twice.") }
    let hop = try HopFields(head.fields, isOld: isOld)
    // A proxy does not keep HTTP/1.0 connections open (RFC 9112, section 9.3).
    (closes, upgrades) = (hop.closes || isOld, hop.upgrades)
    expectsContinue = !isOld && head.fields.elements(of: "expect").contains("100-continue")
    if method == "CONNECT" {
      kind = .connect
      target = try Target(authority: parts[1])
      forwarded = []
      return
    }
    let text = parts[1]
    guard let colon = text.range(of: "://") else {
      guard text.hasPrefix("/") || text == "*" else {
        throw HTTPError("The target \"\(text.prefix(80))\" is not a URL.")
      }
      (kind, target, forwarded) = (.direct, Target(host: "", port: 0), [])
      return
    }
    guard text[..<colon.lowerBound].lowercased() == "http" else {
      throw HTTPError(
        "Only http: is fetched for a client; open a tunnel with CONNECT for everything else.", status: 501)
    }
    let rest = text[colon.upperBound...]
    let authority = rest.prefix { !"/?#".contains($0) }
    target = try Target(authority: authority, usualPort: 80)
    let written = rest[authority.endIndex...].prefix { $0 != "#" }
    let path = (written.hasPrefix("/") ? "" : "/") + written
    let host = target.port == 80 ? String(target.authority.dropLast(3)) : target.authority
    kind = .fetch(url: "http://\(host)\(path)")
    // OPTIONS without a path asks about the whole server (RFC 9112, section 3.2.4).
    let asked = method == "OPTIONS" && written.isEmpty ? "*" : path
    var fields = hop.passed(head.fields, closing: hop.closes)
    fields.removeAll { ["proxy-authorization", "proxy-authenticate", "host"].contains($0) }
    // `Host` becomes the URL's host, whatever the client wrote (RFC 9112, section 3.2.2), and comes first.
    forwarded = Array("\(method) \(asked) \(parts[2])\r\nHost: \(host)\r\n".utf8) + fields.bytes + [13, 10]
  }
}

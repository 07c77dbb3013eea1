/// A server's answer, read from its head (RFC 9112, sections 4, 6.3 and 9.3).
struct ProxyAnswer {
  let status: Int
  let framing: HTTPBodyFraming
  let closes: Bool
  let forwarded: [UInt8]

  /// Whether this is an interim answer, which another answer follows.
  var isInterim: Bool { (100..<200).contains(status) && status != 101 }

  /// Reads an answer.
  ///
  /// `closing` says that the client's connection closes anyway, `upgrades` that the client asked for an upgrade.
  init(_ head: HTTPHead, _ bytes: [UInt8], to method: String, closing: Bool, upgrades: Bool) throws(HTTPError) {
    let parts = head.firstLine.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count >= 2, parts[0].hasPrefix("HTTP/1."), parts[1].utf8.count == 3, let status = Int(parts[1]),
      (100...999).contains(status)
    else { throw HTTPError("The first line is not an HTTP/1.1 response.") }
    let isOld = parts[0] == "HTTP/1.0"
    let hop = try HopFields(head.fields, isOld: isOld)
    guard status != 101 || upgrades else { throw HTTPError("No other protocol was requested.") }
    self.status = status
    framing =
      status == 101
      ? .untilClose
      : try HTTPBodyFraming(ofAnswer: head.fields, status: status, method: method, isOld: isOld)
    closes = hop.closes || closing || isOld
    let isLast = !(100..<200).contains(status) && framing != .untilClose && !isOld && closes
    var fields = hop.passed(head.fields, closing: hop.closes || isLast)
    fields.keepOneLength(unless: framing == .chunked)
    guard !head.isPlain || fields != head.fields else {
      forwarded = Array(bytes[..<head.byteCount])
      return
    }
    forwarded = Array("\(head.firstLine)\r\n".utf8) + fields.bytes + [13, 10]
  }
}

extension HTTPFields {
  /// Reduces repeated equal `Content-Length` fields to one, or to none.
  fileprivate mutating func keepOneLength(unless isUnwanted: Bool) {
    let values = self["content-length"]
    guard let first = values.first, isUnwanted || values.count > 1 || first.contains(",") else { return }
    var length = isUnwanted ? nil : String(first.prefix { $0 != "," })
    var kept = HTTPFields()
    for field in all {
      if field.name.lowercased() != "content-length" {
        kept.append(field)
      } else if let value = length {
        kept.append(field.name, value.trimmed)
        length = nil
      }
    }
    self = kept
  }
}

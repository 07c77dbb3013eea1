/// The methods of HTTP, as far as it matters which one a request has.
package enum HTTPMethods {
  /// Those whose requests may be sent again, since twice does what once does (RFC 9110, section 9.2.2).
  package static let idempotent: Set<String> = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"]
}

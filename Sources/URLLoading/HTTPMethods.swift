package enum HTTPMethods {
  /// Idempotent methods: repeating such a request has the same effect as sending it once (RFC 9110, 9.2.2).
  package static let idempotent: Set<String> = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"]
}

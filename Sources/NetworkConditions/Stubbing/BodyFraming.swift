/// How a client knows that a body is over, on an HTTP/1.1 connection (RFC 9112, 6.3).
///
/// A real session on Linux was measured to do the same as is said here. Apple documents `networkConnectionLost` for a
/// connection that breaks; that an end in good order is the end of a body without a length is RFC 9112, 8. HTTP/2, which
/// is what `https:` is simulated with, ends every stream itself: there all three are alike.
public enum BodyFraming: Hashable, Sendable {
  /// By its `Content-Length`: with fewer bytes it is cut off, and fails.
  case length
  /// By its last chunk: without that it is cut off, and fails.
  case chunked
  /// By the end of its connection, as from an HTTP/1.0 server: cut off in good order, it looks whole.
  ///
  /// A `truncate` fault gives a client what came before it, with no error. A reset fails it, even behind its last byte.
  case untilClose
}

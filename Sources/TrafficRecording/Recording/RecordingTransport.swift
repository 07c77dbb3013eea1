import Internals
public import NetworkConditions
import URLLoading

/// A transport that passes on the answers of another transport, and records them as an HTTP archive.
///
/// ```swift
/// let recording = try RecordingTransport(URLSessionTransport(), to: file)
/// let network = SimulatedNetwork("unlimited", transport: recording)
/// _ = try await network.data(for: request)
/// try recording.finish()
/// ```
///
/// Entries are written as exchanges end, and ``finish()`` gives the file its name. Bodies up to a limit are in the
/// file. Longer ones are in `NAME.bodies` beside it, and never in memory as a whole.
///
/// The recording has the transport's reports: decoded bodies, and times in real time. A transport does not report
/// name resolution and connecting. So `wait` lasts from the request to the head, and `receive` from there to the end.
/// `send` is 0, and the other times are -1. Header fields that the client's session adds, such as `User-Agent`, are not
/// recorded.
public final class RecordingTransport: Transport {
  /// The default limit of bytes up to which a body is stored in the archive itself: 1 MiB.
  public static let standardInlineLimit = 1 << 20

  private let transport: any Transport
  private let file: RecordingFile
  private let redaction: Redaction?
  private let inlineLimit: Int
  private let exchanges = Mutex<[WeakReference<RecordedExchange>]>([])

  /// Creates a transport, and its file under a temporary name; the network's redaction decides which secrets are left out.
  ///
  /// - Parameters:
  ///   - transport: answers the requests.
  ///   - file: where the archive goes.
  ///   - overwrites: whether an existing file and an existing folder of bodies may be replaced.
  ///   - inlineLimit: the most bytes of a body that are stored in the archive itself; for a pipe or a device all bodies are.
  /// - Throws: an error when there is something already, or the folder cannot be written to.
  public convenience init(
    _ transport: any Transport, to file: URL, overwrites: Bool = false,
    inlineLimit: Int = RecordingTransport.standardInlineLimit
  ) throws(HTTPArchiveError) {
    try self.init(transport, file, overwrites, nil, inlineLimit)
  }

  /// Creates a transport that redacts its recording by the given rule instead of the network's.
  public convenience init(
    _ transport: any Transport, to file: URL, overwrites: Bool = false, redaction: Redaction,
    inlineLimit: Int = RecordingTransport.standardInlineLimit
  ) throws(HTTPArchiveError) {
    try self.init(transport, file, overwrites, redaction, inlineLimit)
  }

  private init(
    _ transport: any Transport, _ file: URL, _ overwrites: Bool, _ redaction: Redaction?, _ inlineLimit: Int
  ) throws(HTTPArchiveError) {
    self.transport = transport
    self.file = try RecordingFile(file, overwrites: overwrites)
    self.redaction = redaction
    self.inlineLimit = self.file.hasFolder ? max(0, inlineLimit) : .max
  }

  /// Passes on the answer of the other transport, and records it.
  public func respond(to request: TransportRequest, with reply: any TransportReply) {
    let number = file.nextNumber()
    func body(_ kind: String) -> BodyCapture {
      BodyCapture(limit: inlineLimit, name: "\(number)-\(kind)", file: file)
    }
    let exchange = RecordedExchange(
      request, reply: reply, requestBody: body("request"), responseBody: body("response"),
      redaction: redaction ?? request.redaction, file: file)
    exchanges.withLock { list in
      list.removeAll { $0.object == nil }
      list.append(WeakReference(exchange))
    }
    reply.onCancel { exchange.record(.cancelled) }
    transport.respond(to: request, with: exchange)
  }

  /// How many secrets were left out of the recording so far.
  public var omissions: HTTPArchive.Omissions { file.omissions }

  /// Completes the archive and gives it its name; exchanges under way are recorded as cancelled.
  ///
  /// - Returns: how many exchanges were recorded.
  /// - Throws: an error when something could not be written; then all files of the recording are removed.
  @discardableResult
  public func finish() throws(HTTPArchiveError) -> Int {
    for exchange in exchanges.withLock({ $0 }) { exchange.object?.record(.cancelled) }
    return try file.finish()
  }

  /// Cancels the recording, and removes its files.
  public func discard() {
    file.discard()
  }
}

public import NetworkConditions
import URLLoading

/// A transport that hands on what another one answers, and records it as an HTTP archive.
///
/// ```swift
/// let recording = try RecordingTransport(URLSessionTransport(), to: file)
/// let network = SimulatedNetwork("unlimited", transport: recording)
/// _ = try await network.data(for: request)
/// try recording.finish()
/// ```
///
/// Entries are written as exchanges end, and the file has its name once ``finish()`` was called. Bodies up to a limit
/// stand in it; longer ones stand in `NAME.bodies` beside it and are never in memory as a whole.
///
/// It records what the transport gives: bodies that the system has decoded, and times by the clock on the wall.
/// A transport does not tell when a name was resolved or a connection made, so that `wait` is all from the request to the
/// head, and those are -1. Fields of the client's own session, such as `User-Agent`, are not among the request's.
public final class RecordingTransport: Transport {
  /// The most bytes of a body that stand in the archive itself, unless another limit is given: 1 MiB.
  public static let standardInlineLimit = 1 << 20

  private let transport: any Transport
  private let file: RecordingFile
  private let redaction: Redaction?
  private let inlineLimit: Int

  /// Creates a transport, and the beginning of its file under another name; it leaves out what its network leaves out.
  ///
  /// - Parameters:
  ///   - transport: who answers.
  ///   - file: where the archive goes.
  ///   - overwrites: whether a file and a folder of bodies that are there already may be replaced.
  ///   - inlineLimit: the most bytes of a body that stand in the archive itself; where it is no regular file but a pipe
  ///     or a device, all do.
  /// - Throws: an error when there is something already, or the folder cannot be written to.
  public convenience init(
    _ transport: any Transport, to file: URL, overwrites: Bool = false,
    inlineLimit: Int = RecordingTransport.standardInlineLimit
  ) throws(HTTPArchiveError) {
    try self.init(transport, file, overwrites, nil, inlineLimit)
  }

  /// Creates a transport that redacts its recording by a rule of its own, and not by that of its network.
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

  /// Hands on the answer of the other transport.
  public func respond(to request: TransportRequest, with reply: any TransportReply) {
    let number = file.nextNumber()
    func body(_ kind: String) -> BodyCapture {
      BodyCapture(limit: inlineLimit, name: "\(number)-\(kind)", file: file)
    }
    let exchange = RecordedExchange(
      request, reply: reply, requestBody: body("request"), responseBody: body("response"),
      redaction: redaction ?? request.redaction, file: file)
    reply.onCancel { exchange.record(.cancelled) }
    transport.respond(to: request, with: exchange)
  }

  /// How many secrets were left out of what was recorded up to now.
  public var omissions: HTTPArchive.Omissions { file.omissions }

  /// Completes the archive and puts it under its name; exchanges that are still under way are not in it.
  ///
  /// - Returns: how many exchanges were recorded.
  /// - Throws: an error when anything could not be written; then nothing of the recording is left.
  @discardableResult
  public func finish() throws(HTTPArchiveError) -> Int {
    try file.finish()
  }

  /// Gives the recording up, and removes its files.
  public func discard() {
    file.discard()
  }
}

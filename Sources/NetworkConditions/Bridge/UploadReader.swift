import Internals
import URLLoading

/// Reads a client's stream, feeds the exchange with its bytes, and keeps them for the server.
///
/// A stream can be read only once, but the server answers when it has the whole body. The reader keeps up to 1 MiB in
/// memory, and more in a temporary file until the server's side is done.
// Unchecked: only the reader's own work touches its properties.
final class UploadReader: @unchecked Sendable {
  private static let memoryLimit = 1 << 20

  private static let streams = Mutex<Set<ObjectIdentifier>>([])

  private let stream: InputStream?
  private let engine: NetworkEngine
  private let exchange: Int
  private var memory = Data()
  private var file: (url: URL, handle: FileHandle)?
  private var count: Int64 = 0

  init(stream: InputStream?, engine: NetworkEngine, exchange: Int) {
    self.stream = stream
    self.engine = engine
    self.exchange = exchange
  }

  func start() {
    // In a simulation everything runs in turn, in a fixed order.
    if let simulation = engine.simulation { simulation.perform(readAll) } else { BlockingWork.run(readAll) }
  }

  private func readAll() {
    guard let stream else { return fail("The delegate provided no stream to upload.") }
    // A stream that one request is reading gives nothing to another request.
    let isOurs = Self.streams.withLock { $0.insert(ObjectIdentifier(stream)).inserted }
    if isOurs { stream.open() }
    defer {
      if isOurs {
        stream.close()
        Self.streams.withLock { _ = $0.remove(ObjectIdentifier(stream)) }
      }
    }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    do {
      while isOurs {
        let got = stream.read(&buffer, maxLength: buffer.count)
        if got <= 0 {
          // Some streams report a failure by their status alone.
          if stream.streamStatus == .error || got < 0 && !Self.isSpent(stream) {
            throw FoundationLimits.error(of: stream)
          }
          break
        }
        try keep(buffer[..<got])
        guard engine.extendUpload(of: exchange, by: Int64(got), whole: nil) else { return discard() }
      }
      try file?.handle.close()
      let body: RequestBody =
        if let file { .file(file.url, length: count) } else { RequestBody(memory) }
      engine.extendUpload(of: exchange, by: 0, whole: body)
      if let file { engine.onEnd(of: exchange) { try? FileManager.default.removeItem(at: file.url) } }
    } catch {
      discard()
      fail("The stream to upload cannot be read: \(error)")
    }
  }

  private func fail(_ reason: String) {
    engine.fail(
      exchange, with: .refused(.unreadableUpload, .requestBodyStreamExhausted, url: nil, because: reason))
  }

  /// Whether a stream is empty because it was read before; a session on the real network then uploads an empty body,
  /// too.
  private static func isSpent(_ stream: InputStream) -> Bool {
    [.notOpen, .atEnd, .closed].contains(stream.streamStatus)
  }

  private func keep(_ bytes: ArraySlice<UInt8>) throws {
    count += Int64(bytes.count)
    if file == nil, memory.count + bytes.count > Self.memoryLimit {
      let url = FileManager.default.temporaryDirectory.appendingPathComponent("upload-\(UUID().uuidString)")
      guard FileManager.default.createFile(atPath: url.path, contents: memory) else {
        throw URLError(.cannotCreateFile)
      }
      let handle = try FileHandle(forWritingTo: url)
      try handle.seekToEnd()
      file = (url, handle)
      memory = Data()
    }
    if let file { try file.handle.write(contentsOf: Data(bytes)) } else { memory.append(contentsOf: bytes) }
  }

  private func discard() {
    guard let file else { return }
    try? file.handle.close()
    try? FileManager.default.removeItem(at: file.url)
  }
}

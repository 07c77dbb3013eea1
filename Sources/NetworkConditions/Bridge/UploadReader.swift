import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Reads a client's stream and feeds the exchange with what comes, keeping it for the server.
///
/// A stream can be read only once and the server is asked when it has all: so what is read is kept, in memory up to
/// 1 MiB and in a temporary file beyond, which is removed when the server's side is done with it.
// Unchecked: everything is touched on the reader's own queue alone.
final class UploadReader: @unchecked Sendable {
  private static let memoryLimit = 1 << 20
  private static let queue = DispatchQueue(
    label: "network-conditions.upload", qos: .userInitiated, attributes: .concurrent)

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
    if let driver = engine.driver {
      // Where time stands still until everyone is done, there is nobody to keep waiting.
      driver.submit { self.readAll() }
    } else {
      Self.queue.async { self.readAll() }
    }
  }

  private func readAll() {
    guard let stream else {
      return engine.fail(
        exchange,
        with: .simulated(.requestBodyStreamExhausted, url: nil, because: "The delegate gave no stream to upload."))
    }
    stream.open()
    defer { stream.close() }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    do {
      while true {
        let got = stream.read(&buffer, maxLength: buffer.count)
        if got == 0 { break }
        guard got > 0 else { throw stream.streamError ?? URLError(.requestBodyStreamExhausted) }
        try keep(buffer[..<got])
        guard engine.extendUpload(of: exchange, by: Int64(got), whole: nil) else { return discard() }
      }
      try file?.handle.close()
      let body: RequestBody =
        if let file { .file(file.url, length: count) } else { memory.isEmpty ? .empty : .data(memory) }
      engine.extendUpload(of: exchange, by: 0, whole: body)
      if let file { engine.onEnd(of: exchange) { try? FileManager.default.removeItem(at: file.url) } }
    } catch {
      discard()
      engine.fail(
        exchange,
        with: .simulated(
          .requestBodyStreamExhausted, url: nil, because: "The stream to upload cannot be read: \(error)"))
    }
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

import Foundation

/// A body that is being recorded: in memory up to a limit, in a file beyond it.
struct BodyCapture {
  private(set) var count: Int64 = 0
  private var data = Data()
  private var handle: FileHandle?
  /// Whether writing has failed; then nothing more is kept.
  private var isLost = false
  private let limit: Int
  private let name: String
  private let file: RecordingFile

  init(limit: Int, name: String, file: RecordingFile) {
    self.limit = limit
    self.name = name
    self.file = file
  }

  mutating func append(_ piece: Data) throws {
    count += Int64(piece.count)
    guard !isLost else { return }
    do {
      if let handle { return try handle.write(contentsOf: piece) }
      data.append(piece)
      guard data.count > limit else { return }
      let handle = try file.createBody(name)
      self.handle = handle
      try handle.write(contentsOf: data)
      data = Data()
    } catch {
      isLost = true
      data = Data()
      throw error
    }
  }

  /// Ends the body, and returns its file's path or its text, in base64 where plain text would change the bytes.
  mutating func end(mediaType: String?) throws -> (file: String?, text: String?, encoding: String?) {
    if isLost { return (nil, nil, nil) }
    if let handle {
      try handle.close()
      self.handle = nil
      return (file.folder.path(of: name), nil, nil)
    }
    if RecordedBody.charset(in: mediaType) == nil, let text = String(validating: data, as: UTF8.self) {
      return (nil, text, nil)
    }
    return (nil, data.base64EncodedString(), "base64")
  }
}

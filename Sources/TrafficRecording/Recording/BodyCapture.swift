import Foundation

/// A body on its way into an archive: in memory up to a limit, in a file beyond it.
struct BodyCapture {
  private(set) var count: Int64 = 0
  private var data = Data()
  private var file: FileHandle?
  private let limit: Int
  /// The name of the file, within the folder of bodies.
  private let name: String
  private let folder: RecordingFolder

  init(limit: Int, name: String, folder: RecordingFolder) {
    self.limit = limit
    self.name = name
    self.folder = folder
  }

  mutating func append(_ piece: Data) throws {
    count += Int64(piece.count)
    if let file { return try file.write(contentsOf: piece) }
    data.append(piece)
    guard data.count > limit else { return }
    let file = try folder.create(name)
    self.file = file
    try file.write(contentsOf: data)
    data = Data()
  }

  /// Ends the body: the path of its file, or its text and how that is encoded.
  ///
  /// Text goes in as it is when it is UTF-8 and nothing says that it is not, so that its bytes come out the same.
  mutating func end(mediaType: String?) throws -> (file: String?, text: String?, encoding: String?) {
    if let file {
      try file.close()
      self.file = nil
      return (folder.path(of: name), nil, nil)
    }
    if RecordedBody.charset(in: mediaType) == nil, let text = String(validating: data, as: UTF8.self) {
      return (nil, text, nil)
    }
    return (nil, data.base64EncodedString(), "base64")
  }
}

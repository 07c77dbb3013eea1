import Foundation
import NetworkConditions

/// A recorded body as bytes, and what is not right with it.
struct RecordedBody {
  enum Place {
    case data(Data)
    /// A file within the archive's folder; it is looked for again when it is sent.
    case file(String, size: Int64)
  }

  var place = Place.data(Data())
  /// Whether the bytes are still compressed as the header fields say.
  var isEncoded = false
  /// The character set that the bytes have, where it is another than the header fields say.
  var charset: String?
  var notes: [String] = []

  var count: Int64 {
    switch place {
    case .data(let data): Int64(data.count)
    case .file(_, let size): size
    }
  }

  /// The body of a response.
  init(_ response: HTTPArchive.Response, in folder: BodyFolder, at path: String) throws(HTTPArchiveError) {
    let content = response.content
    if let file = content.file {
      switch try folder.find(file, at: "\(path).response.content._file") {
      case .file(_, let size): place = .file(file, size: size)
      case .missing(let reason): notes.append("the body is missing, since \(reason); it is served empty")
      }
    } else if let text = content.text {
      decode(text, content.encoding, charset: Self.charset(of: response))
    } else if content.size > 0 {
      notes.append("the body of \(content.size) bytes was not recorded; it is served empty")
    }
    guard notes.isEmpty else { return }
    isEncoded = seemsEncoded(response)
    if isEncoded {
      let encoding = response[header: "Content-Encoding"] ?? ""
      notes.append("the body is still compressed (\(encoding)); it is served so, with its Content-Encoding")
    } else if content.size >= 0, content.size != count {
      notes.append("the body has \(count) bytes where the archive says \(content.size); it is served as it is")
    }
  }

  /// The body of a request, for comparison; a file is mapped.
  static func data(_ body: HTTPArchive.PostData?, in folder: BodyFolder, at path: String) throws(HTTPArchiveError)
    -> Data
  {
    guard let body else { return Data() }
    if let file = body.file {
      guard case .file(let url, _) = try folder.find(file, at: "\(path).request.postData._file") else { return Data() }
      return (try? Data(contentsOf: url, options: .mappedIfSafe)) ?? Data()
    }
    if let text = body.text, !text.isEmpty || body.parameters.isEmpty {
      if body.encoding?.lowercased() == "base64" {
        return Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data(text.utf8)
      }
      return Data(text.utf8)
    }
    return Data(body.parameters.map { "\($0.name)=\($0.value)" }.joined(separator: "&").utf8)
  }

  private mutating func decode(_ text: String, _ encoding: String?, charset: String?) {
    switch encoding?.lowercased() {
    case nil, "": break
    case "base64":
      if let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) {
        place = .data(data)
        return
      }
      notes.append("the body is not the base64 that it should be; it is served as the text that stands there")
    case let other?: notes.append("the body has the unknown encoding \(other.quoted); it is served as text")
    }
    guard let charset else {
      place = .data(Data(text.utf8))
      return
    }
    // The archive holds characters; the header fields promise bytes.
    if let encoding = Self.encodings[charset], let data = text.data(using: encoding) {
      place = .data(data)
    } else {
      place = .data(Data(text.utf8))
      self.charset = "utf-8"
    }
  }

  /// Whether the bytes are as they were on the wire, against the specification, as some recorders write them.
  private func seemsEncoded(_ response: HTTPArchive.Response) -> Bool {
    guard let encoding = response[header: "Content-Encoding"]?.lowercased(), encoding != "identity", !encoding.isEmpty,
      case .data(let data) = place, response.content.encoding != nil
    else { return false }
    let magic: [UInt8] = encoding.contains("zstd") ? [0x28, 0xB5, 0x2F, 0xFD] : [0x1F, 0x8B]
    if encoding.contains("gzip") || encoding.contains("zstd") { return data.starts(with: magic) }
    // Brotli and deflate have no mark; but then the body is as long as what was transferred, and not as the content.
    return response.bodyBytes == count && response.content.size > 0 && response.content.size != count
  }

  private static let encodings: [String: String.Encoding] = [
    "iso-8859-1": .isoLatin1, "latin1": .isoLatin1, "us-ascii": .ascii, "windows-1252": .windowsCP1252,
    "utf-16": .utf16, "utf-16le": .utf16LittleEndian, "utf-16be": .utf16BigEndian,
  ]

  /// The character set that the header fields name, when it is not UTF-8.
  static func charset(of response: HTTPArchive.Response) -> String? {
    charset(in: response[header: "Content-Type"])
  }

  /// The character set that a media type names, in lower case, when it is not UTF-8.
  static func charset(in mediaType: String?) -> String? {
    guard let type = mediaType?.lowercased(), let begin = type.range(of: "charset=")?.upperBound else { return nil }
    let name = type[begin...].prefix { $0 != ";" }.trimmingCharacters(in: CharacterSet(charactersIn: " \"'"))
    return ["utf-8", "utf8", ""].contains(name) ? nil : name
  }
}

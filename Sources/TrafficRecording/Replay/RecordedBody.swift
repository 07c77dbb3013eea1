import Foundation
import Internals
import NetworkConditions

/// A recorded body as bytes, with notes on its flaws and the reason why it cannot be served, if there is one.
struct RecordedBody {
  enum Place {
    case data(Data)
    /// A file within the archive's folder, which is looked up again when it is sent.
    case file(String, size: Int64)
  }

  var place = Place.data(Data())
  /// Whether the body was compressed on the wire, according to the head.
  var isEncoded = false
  /// How many bytes a compressed body was on the wire; `nil` when unknown.
  var encodedCount: Int64?
  var problem: String?
  /// The character set of the bytes, if it differs from the one in the header fields.
  var charset: String?
  var notes: [String] = []

  var count: Int64 {
    switch place {
    case .data(let data): Int64(data.count)
    case .file(_, let size): size
    }
  }

  init(
    _ response: HTTPArchive.Response, isCutOff: Bool, in folder: BodyFolder, at path: String
  ) throws(ProfileError) {
    let content = response.content
    let encoding = response[header: "Content-Encoding"]?.lowercased() ?? ""
    isEncoded = !encoding.isEmpty && encoding != "identity"
    let announced = Self.announced(response, isEncoded: isEncoded)
    if let file = content.file {
      switch try folder.find(file, at: "\(path).response.content._file") {
      case .file(_, let size): place = .file(file, size: size)
      case .missing(let reason): problem = "its body is missing, since \(reason)"
      }
    } else if let text = content.text, !text.isEmpty || announced == 0 {
      decode(text, content.encoding, charset: Self.charset(of: response))
    } else if announced > 0 {
      problem =
        "its body of \(announced) bytes was not recorded; export the recording again with its contents, or make it with netcond record"
    }
    guard problem == nil else { return }
    if isEncoded { encodedCount = Self.encodedCount(of: response, isCutOff: isCutOff) }
    guard !isPacked(response, encoding) else {
      unpack(encoding)
      return
    }
    if isEncoded, encodedCount == nil, count > 0 {
      notes.append("the size of its compressed body on the wire was not recorded; all of its bytes are sent")
    } else if content.size >= 0, content.size != count, content.size != encodedCount {
      notes.append("the body has \(count) bytes, but the archive says \(content.size); it is served as it is")
    }
  }

  private static func announced(_ response: HTTPArchive.Response, isEncoded: Bool) -> Int64 {
    let size = response.content.size
    // Even an empty body has bytes when it is compressed.
    if size > 0 || (size == 0 && isEncoded) { return size }
    let length = response[header: "Content-Length"].flatMap { Int64($0) } ?? 0
    return max(length, size < 0 ? response.bodyBytes : 0, 0)
  }

  /// How many bytes a body was on the wire, preferably by the server's `Content-Length`.
  ///
  /// Recorders define `bodySize` differently. For HTTP/2, browsers know only the sum of head and body.
  static func encodedCount(of response: HTTPArchive.Response, isCutOff: Bool) -> Int64? {
    let length = response[header: "Content-Length"].flatMap { Int64($0) } ?? 0
    if length > 0, !isCutOff { return length }
    if response.bodyBytes > 0 { return response.bodyBytes }
    guard response.transferBytes > 0 else { return nil }
    let fields = response.headers.map { HeaderField($0.name, $0.value) }
    let head = WireFormat.responseHeadBytes(ResponseHead(status: response.status, headers: fields), version: .http2)
    return max(1, response.transferBytes - (response.headerBytes > 0 ? response.headerBytes : head))
  }

  static func data(_ body: HTTPArchive.PostData?, in folder: BodyFolder, at path: String) throws(ProfileError)
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
      problem = "its body is not valid base64; export the recording again"
      return
    case let other?:
      problem = "its body has the unknown encoding \(other.quoted); write \"base64\", or none for text"
      return
    }
    guard let charset else {
      place = .data(Data(text.utf8))
      return
    }
    // The archive has decoded characters, but the header fields announce another encoding.
    if let encoding = Self.encodings[charset], let data = text.data(using: encoding) {
      place = .data(data)
    } else {
      place = .data(Data(text.utf8))
      self.charset = "utf-8"
    }
  }

  /// Whether the bytes are still compressed; some recorders write them so, against the specification.
  private func isPacked(_ response: HTTPArchive.Response, _ encoding: String) -> Bool {
    guard isEncoded, case .data(let data) = place, response.content.encoding != nil else { return false }
    // The body may be a compressed file itself. Then its size is the content's, and differs from that on the wire.
    if response.content.size == count, let encodedCount, encodedCount != count { return false }
    if encoding.contains("gzip") { return data.starts(with: [0x1F, 0x8B]) }
    if encoding.contains("zstd") { return data.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) }
    // Brotli and deflate have no signature. A compressed body is as long as the transfer and not as the content.
    return response.bodyBytes == count && response.content.size > 0 && response.content.size != count
  }

  private mutating func unpack(_ encoding: String) {
    guard case .data(let data) = place else { return }
    guard ["gzip", "x-gzip"].contains(encoding) else {
      problem = "its body is still compressed (\(encoding)), and only gzip can be unpacked here; export it decoded"
      return
    }
    do {
      place = .data(Data(try Inflater.unpack([UInt8](data))))
      encodedCount = Int64(data.count)
    } catch {
      problem = "its body is still compressed (\(encoding)), and cannot be unpacked: \(error)"
    }
  }

  private static let encodings: [String: String.Encoding] = [
    "iso-8859-1": .isoLatin1, "latin1": .isoLatin1, "us-ascii": .ascii, "windows-1252": .windowsCP1252,
    "utf-16": .utf16, "utf-16le": .utf16LittleEndian, "utf-16be": .utf16BigEndian,
  ]

  static func charset(of response: HTTPArchive.Response) -> String? {
    charset(in: response[header: "Content-Type"])
  }

  /// Returns the character set of a media type in lower case; `nil` for UTF-8.
  static func charset(in mediaType: String?) -> String? {
    guard let type = mediaType?.lowercased(), let begin = type.range(of: "charset=")?.upperBound else { return nil }
    let name = type[begin...].prefix { $0 != ";" }.trimmingCharacters(in: CharacterSet(charactersIn: " \"'"))
    return ["utf-8", "utf8", ""].contains(name) ? nil : name
  }
}

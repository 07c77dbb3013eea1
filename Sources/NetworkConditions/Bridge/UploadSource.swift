import Internals
import URLLoading

enum UploadSource {
  /// The whole body, in memory or in a file.
  case whole(RequestBody)
  case stream(InputStream)
  /// A closure that asks the task's delegate for a stream.
  case delegate((@escaping @Sendable (InputStream?) -> Void) -> Void)
  /// The error of a body that cannot be read.
  case failed(URLError)

  /// The body that the request itself carries, as data or as a stream.
  static func find(in request: URLRequest) -> UploadSource {
    if let stream = request.httpBodyStream { return .stream(stream) }
    return .whole(RequestBody(request.httpBody ?? ClientContext.keptBody(in: request) ?? Data()))
  }

  var body: RequestBody {
    if case .whole(let body) = self { body } else { .empty }
  }

  /// The body's size; `nil` until it has been read.
  var size: Int64? {
    if case .whole(let body) = self { body.count } else { nil }
  }

  /// A file as the body; follows links, and reads the file's size now.
  static func fromFile(_ file: URL) -> UploadSource {
    var facts = stat()
    var problem: SystemError?
    if stat(file.path, &facts) != 0 || access(file.path, R_OK) != 0 { problem = SystemError() }
    if facts.st_mode & S_IFMT == S_IFDIR { problem = SystemError(code: EISDIR) }
    guard let problem else {
      let length = Int64(facts.st_size)
      return .whole(length == 0 ? .empty : .file(file, length: length))
    }
    let code: URLError.Code =
      switch problem.code {
      case EISDIR: .fileIsDirectory
      case EACCES: .noPermissionsToReadFile
      default: .fileDoesNotExist
      }
    return .failed(
      .refused(.unreadableUpload, code, url: file, because: "The file to upload cannot be read: \(problem)"))
  }
}

extension RequestBody {
  /// Creates a body in memory; without bytes it is `empty`.
  init(_ data: Data) {
    self = data.isEmpty ? .empty : .data(data)
  }
}

import Internals
import URLLoading

/// Where the body of a request is.
enum UploadSource {
  /// It is here.
  case whole(RequestBody)
  /// It must be read.
  case stream(InputStream)
  /// The task's delegate must be asked for a stream.
  case delegate((@escaping @Sendable (InputStream?) -> Void) -> Void)
  /// It cannot be had.
  case failed(URLError)

  static func find(in urlProtocol: URLProtocol) -> UploadSource {
    urlProtocol.task?.ownUpload ?? find(in: urlProtocol.request)
  }

  /// The body that a request has of its own.
  static func find(in request: URLRequest) -> UploadSource {
    if let stream = request.httpBodyStream { return .stream(stream) }
    return .whole(RequestBody(request.httpBody ?? ClientContext.keptBody(in: request) ?? Data()))
  }

  /// The body, if it is known before a stream is read.
  var body: RequestBody {
    if case .whole(let body) = self { body } else { .empty }
  }

  /// The body's size; `nil` until it has been read.
  var size: Int64? {
    if case .whole(let body) = self { body.count } else { nil }
  }

  /// A file's body, links followed: its size is taken now.
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
  /// A body in memory, if there is any.
  init(_ data: Data) {
    self = data.isEmpty ? .empty : .data(data)
  }
}

import Dispatch
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
    #if canImport(FoundationNetworking)
      // Upload tasks show nothing in their request on Linux, and leave aside what body it has.
      if let task = urlProtocol.task, type(of: task) != URLSessionDataTask.self, task is URLSessionUploadTask {
        guard let value = FoundationInternals.body(of: task) else { return askDelegate(of: task) }
        return switch value {
        case let data as DispatchData: .whole(RequestBody(Data(data)))
        case let file as URL: fromFile(file)
        case let stream as InputStream: .stream(stream)
        default: .whole(.empty)
        }
      }
    #endif
    return find(in: urlProtocol.request)
  }

  /// The body that a request has of its own.
  static func find(in request: URLRequest) -> UploadSource {
    if let stream = request.httpBodyStream { return .stream(stream) }
    return .whole(RequestBody(request.httpBody ?? Data()))
  }

  /// The body, as far as it is known before anything is read.
  var body: RequestBody {
    if case .whole(let body) = self { body } else { .empty }
  }

  /// The body's size; `nil` until it has been read.
  var size: Int64? {
    if case .whole(let body) = self { body.count } else { nil }
  }

  /// A file's body: its size is taken now.
  static func fromFile(_ file: URL) -> UploadSource {
    do {
      let values = try FileManager.default.attributesOfItem(atPath: file.path)
      let length = (values[.size] as? NSNumber)?.int64Value ?? 0
      return .whole(length == 0 ? .empty : .file(file, length: length))
    } catch {
      return .failed(.simulated(.fileDoesNotExist, url: file, because: "The file to upload cannot be read: \(error)"))
    }
  }

  #if canImport(FoundationNetworking)
    private static func askDelegate(of task: URLSessionTask) -> UploadSource {
      guard let delegate = task.delegate, let session = FoundationInternals.session(of: task) else {
        return .failed(
          .simulated(
            .requestBodyStreamExhausted, url: task.originalRequest?.url,
            because: "A streamed upload needs a delegate that gives the stream (needNewBodyStream)."))
      }
      return .delegate { hand in
        session.delegateQueue.addOperation {
          delegate.urlSession(session, task: task, needNewBodyStream: hand)
        }
      }
    }
  #endif
}

extension RequestBody {
  /// A body in memory, if there is any.
  init(_ data: Data) {
    self = data.isEmpty ? .empty : .data(data)
  }
}

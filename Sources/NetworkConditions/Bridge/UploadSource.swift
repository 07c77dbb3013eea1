import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Where the body of a URLProtocol's request is.
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
    let request = urlProtocol.request
    if let data = request.httpBody { return .whole(data.isEmpty ? .empty : .data(data)) }
    if let stream = request.httpBodyStream { return .stream(stream) }
    #if canImport(FoundationNetworking)
      // Upload tasks show nothing in their request on Linux.
      guard let task = urlProtocol.task, type(of: task) != URLSessionDataTask.self, task is URLSessionUploadTask else {
        return .whole(.empty)
      }
      guard let (kind, value) = FoundationInternals.body(of: task) else { return askDelegate(of: task) }
      switch (kind, value) {
      case (_, let data as DispatchData): return .whole(data.isEmpty ? .empty : .data(Data(data)))
      case (_, let file as URL): return fromFile(file)
      case (_, let stream as InputStream): return .stream(stream)
      default: return .whole(.empty)
      }
    #else
      return .whole(.empty)
    #endif
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

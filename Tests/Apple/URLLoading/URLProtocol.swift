// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, BeginDocumentationCommentWithOneLineSummary

import Internals

/// Foundation's `URLProtocol`: the methods that a protocol class overrides, and the values that the system gives it.
///
/// Signatures and contract: <https://developer.apple.com/documentation/foundation/urlprotocol>.
open class URLProtocol: NSObject {
  open private(set) var request: URLRequest
  open private(set) var cachedResponse: CachedURLResponse?
  open private(set) var client: (any URLProtocolClient)?
  open private(set) var task: URLSessionTask?

  public required init(request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?) {
    self.request = request
    self.cachedResponse = cachedResponse
    self.client = client
  }

  public required convenience init(
    task: URLSessionTask, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?
  ) {
    // The system gives a protocol every body as a stream, however the task was created.
    var request = task.currentRequest ?? task.firstRequest
    let stream = task.bodyStream()
    if stream != nil || request.httpBody != nil {
      request.httpBody = nil
      request.httpBodyStream = stream
    }
    self.init(request: request, cachedResponse: cachedResponse, client: client)
    self.task = Unkindness.copies.isOn ? type(of: task).init(copyOf: task) : task
  }

  open class func canInit(with request: URLRequest) -> Bool { fatalError("canInit(with:) is for subclasses") }

  open class func canInit(with task: URLSessionTask) -> Bool {
    task.currentRequest.map { canInit(with: $0) } ?? false
  }

  open class func canonicalRequest(for request: URLRequest) -> URLRequest {
    fatalError("canonicalRequest(for:) is for subclasses")
  }

  open class func requestIsCacheEquivalent(_ a: URLRequest, to b: URLRequest) -> Bool { a == b }
  open func startLoading() { fatalError("startLoading() is for subclasses") }
  open func stopLoading() { fatalError("stopLoading() is for subclasses") }

  open class func property(forKey key: String, in request: URLRequest) -> Any? {
    request.value(forHTTPHeaderField: propertyPrefix + key).flatMap { name in properties.withLock { $0[name]?.value } }
  }

  /// The prefix of header fields that name a property's value: on Linux a bridged request keeps its header fields.
  /// `RealLoad` does not send these fields.
  static let propertyPrefix = "X-Double-Property-"
  private struct Property: @unchecked Sendable {
    let value: Any
  }
  private static let properties = Mutex<[String: Property]>([:])

  open class func setProperty(_ value: Any, forKey key: String, in request: NSMutableURLRequest) {
    let property = Property(value: value)
    let name = properties.withLock { properties in
      properties["\(properties.count)"] = property
      return "\(properties.count - 1)"
    }
    request.setValue(name, forHTTPHeaderField: propertyPrefix + key)
  }

  open class func registerClass(_ protocolClass: AnyClass) -> Bool {
    guard protocolClass is URLProtocol.Type else { return false }
    LoadingSystem.registered.withLock { $0.insert(Registered(protocolClass), at: 0) }
    return true
  }

  open class func unregisterClass(_ protocolClass: AnyClass) {
    LoadingSystem.registered.withLock { classes in
      if let place = classes.firstIndex(where: { $0.protocolClass == protocolClass }) { classes.remove(at: place) }
    }
  }
}

@available(*, unavailable)
extension URLProtocol: @unchecked Sendable {}

/// The system's own protocol in each configuration; here `RealLoad` does its work.
final class BuiltInProtocol: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { false }
}

/// The calls of a protocol to the URL loading system.
///
/// <https://developer.apple.com/documentation/foundation/urlprotocolclient>.
public protocol URLProtocolClient: NSObjectProtocol, Sendable {
  func urlProtocol(_ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse)
  func urlProtocol(_ protocol: URLProtocol, cachedResponseIsValid cachedResponse: CachedURLResponse)
  func urlProtocol(
    _ protocol: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy)
  func urlProtocol(_ protocol: URLProtocol, didLoad data: Data)
  func urlProtocolDidFinishLoading(_ protocol: URLProtocol)
  func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error)
  func urlProtocol(_ protocol: URLProtocol, didReceive challenge: URLAuthenticationChallenge)
  func urlProtocol(_ protocol: URLProtocol, didCancel challenge: URLAuthenticationChallenge)
}

extension URLRequest {
  private static let http3 = "double.assumesHTTP3Capable"

  /// Declared since iOS 14.5 and macOS 11.3: <https://developer.apple.com/documentation/foundation/urlrequest/3738175-assumeshttp3capable>.
  public var assumesHTTP3Capable: Bool {
    get { URLProtocol.property(forKey: Self.http3, in: self) as? Bool == true }
    set {
      guard let request = (self as NSURLRequest).mutableCopy() as? NSMutableURLRequest else { return }
      URLProtocol.setProperty(newValue, forKey: Self.http3, in: request)
      self = request as URLRequest
    }
  }
}

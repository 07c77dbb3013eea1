// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, BeginDocumentationCommentWithOneLineSummary

// The types of Foundation on Linux that mean the same on Apple platforms.
@_exported public import CoreFoundation
@_exported public import AppleDarwin
@_exported public import FoundationXML
@_exported public import class FoundationNetworking.CachedURLResponse
@_exported public import class FoundationNetworking.HTTPCookie
@_exported public import class FoundationNetworking.HTTPCookieStorage
@_exported public import class FoundationNetworking.HTTPURLResponse
@_exported public import class FoundationNetworking.NSMutableURLRequest
@_exported public import class FoundationNetworking.NSURLRequest
@_exported public import class FoundationNetworking.URLAuthenticationChallenge
@_exported public import protocol FoundationNetworking.URLAuthenticationChallengeSender
@_exported public import class FoundationNetworking.URLCache
@_exported public import class FoundationNetworking.URLCredential
@_exported public import class FoundationNetworking.URLCredentialStorage
@_exported public import class FoundationNetworking.URLProtectionSpace
@_exported public import struct FoundationNetworking.URLRequest
@_exported public import class FoundationNetworking.URLResponse

/// The parts of Foundation's `URLSessionConfiguration` that the package and its tests use.
///
/// Signatures: <https://developer.apple.com/documentation/foundation/urlsessionconfiguration>.
open class URLSessionConfiguration: NSObject, NSCopying, @unchecked Sendable {
  open class var `default`: URLSessionConfiguration { URLSessionConfiguration() }

  open class var ephemeral: URLSessionConfiguration {
    let configuration = URLSessionConfiguration()
    configuration.urlCache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
    configuration.httpCookieStorage = FoundationCookies.ephemeral()
    return configuration
  }

  open var identifier: String?
  open var requestCachePolicy: URLRequest.CachePolicy = .useProtocolCachePolicy
  open var timeoutIntervalForRequest: TimeInterval = 60
  open var timeoutIntervalForResource: TimeInterval = 604_800
  open var waitsForConnectivity = false
  open var allowsCellularAccess = true
  open var httpAdditionalHeaders: [AnyHashable: Any]?
  open var httpMaximumConnectionsPerHost = 6
  open var httpShouldUsePipelining = false
  open var httpShouldSetCookies = true
  open var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy = .onlyFromMainDocumentDomain
  open var httpCookieStorage: HTTPCookieStorage? = .shared
  open var urlCredentialStorage: URLCredentialStorage? = .shared
  open var urlCache: URLCache? = .shared
  open var connectionProxyDictionary: [AnyHashable: Any]?
  open var protocolClasses: [AnyClass]? = [BuiltInProtocol.self]

  public override init() { super.init() }

  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = URLSessionConfiguration()
    copy.identifier = identifier
    copy.requestCachePolicy = requestCachePolicy
    copy.timeoutIntervalForRequest = timeoutIntervalForRequest
    copy.timeoutIntervalForResource = timeoutIntervalForResource
    copy.waitsForConnectivity = waitsForConnectivity
    copy.allowsCellularAccess = allowsCellularAccess
    copy.httpAdditionalHeaders = httpAdditionalHeaders
    copy.httpMaximumConnectionsPerHost = httpMaximumConnectionsPerHost
    copy.httpShouldUsePipelining = httpShouldUsePipelining
    copy.httpShouldSetCookies = httpShouldSetCookies
    copy.httpCookieAcceptPolicy = httpCookieAcceptPolicy
    copy.httpCookieStorage = httpCookieStorage
    copy.urlCredentialStorage = urlCredentialStorage
    copy.urlCache = urlCache
    copy.connectionProxyDictionary = connectionProxyDictionary
    copy.protocolClasses = protocolClasses
    return copy
  }
}

extension URLSession {
  public enum ResponseDisposition: Int, Sendable {
    case cancel, allow, becomeDownload, becomeStream
  }

  public enum AuthChallengeDisposition: Int, Sendable {
    case useCredential, performDefaultHandling, cancelAuthenticationChallenge, rejectProtectionSpace
  }
}

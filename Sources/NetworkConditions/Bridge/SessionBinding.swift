import Internals
import URLLoading

/// Ties one session configuration to one network: the configuration's settings for requests, and the engine that
/// carries them out.
final class SessionBinding: Sendable {
  /// A configuration's values, taken when its first request comes, so that changes made before the session count.
  private struct Snapshot {
    var idleTimeout: TimeInterval = 60
    var resourceTimeout: TimeInterval = 604_800
    var waitsForConnectivity = false
    var headers: [(name: String, value: String)] = []
    var cookies: CookieJar?
  }

  /// URLSessionConfiguration is a class that locks nothing; it is only read, once, after its owner made a session of it.
  private struct Source: @unchecked Sendable {
    let configuration: URLSessionConfiguration
  }

  let engine: NetworkEngine
  /// The sessions of the simulation that the network is of; `nil` outside of one.
  let sessions: SimulatedSessions?
  let responses = ResponseCache()
  /// The configuration; `nil` for the network's own calls, which have none.
  private let source: Source?
  private let client: Int?
  private let snapshot = Mutex<Snapshot?>(nil)

  /// Creates a binding.
  ///
  /// - Parameter configuration: what says how requests are made; `nil` for a network's own calls, which go by the
  ///   standard values of one.
  init(
    engine: NetworkEngine, configuration: URLSessionConfiguration? = nil, client: Int?,
    sessions: SimulatedSessions? = nil
  ) {
    self.engine = engine
    self.client = client
    self.sessions = sessions
    source = configuration.map(Source.init)
  }

  /// The request as it leaves the client, and how it is to be treated.
  ///
  /// - Parameters:
  ///   - body: where its body is.
  ///   - followsRedirects: whether redirects are followed here and not by the URL loading system.
  ///   - sendsCookies: whether stored cookies have yet to be put into the request.
  func prepare(
    _ request: URLRequest, _ body: UploadSource, followsRedirects: Bool, sendsCookies: Bool
  ) -> (URLRequest, ExchangeSettings) {
    let snapshot = self.snapshot.withLock { value in
      if let value { return value }
      let fresh = source.map { Self.read($0.configuration) } ?? Snapshot(cookies: CookieJar(storage: nil, sends: true))
      value = fresh
      return fresh
    }
    var request = request
    for (name, value) in snapshot.headers where request.value(forHTTPHeaderField: name) == nil {
      request.setValue(value, forHTTPHeaderField: name)
    }
    // As URLSession does it, which leaves a body alone only when an upload task was given it.
    if request.httpMethod == "POST", body.size == nil || request.httpBody?.isEmpty == false,
      request.value(forHTTPHeaderField: "Content-Type") == nil
    {
      request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
    }
    var settings = ExchangeSettings()
    settings.client = client
    settings.sessions = sessions
    // 60 s is the default of a request; then the timeout of the session counts.
    let idle = request.timeoutInterval == 60 ? snapshot.idleTimeout : request.timeoutInterval
    settings.idleTimeout = ExchangeSettings.timeout(idle)
    settings.resourceTimeout = ExchangeSettings.timeout(snapshot.resourceTimeout)
    settings.waitsForConnectivity = snapshot.waitsForConnectivity
    settings.followsRedirects = followsRedirects
    if request.httpShouldHandleCookies, let cookies = snapshot.cookies {
      settings.cookies = cookies
      if sendsCookies { cookies.apply(to: &request) }
    }
    return (request, settings)
  }

  private static func read(_ configuration: URLSessionConfiguration) -> Snapshot {
    var snapshot = Snapshot()
    snapshot.idleTimeout = configuration.timeoutIntervalForRequest
    snapshot.resourceTimeout = configuration.timeoutIntervalForResource
    snapshot.waitsForConnectivity = ClientContext.waitsForConnectivity(configuration)
    for (name, value) in configuration.httpAdditionalHeaders ?? [:] {
      if let name = name as? String { snapshot.headers.append((name, "\(value)")) }
    }
    snapshot.headers.sort { $0.name < $1.name }
    if let storage = configuration.httpCookieStorage, configuration.httpCookieAcceptPolicy != .never {
      snapshot.cookies = CookieJar(storage: storage, sends: configuration.httpShouldSetCookies)
    }
    return snapshot
  }
}

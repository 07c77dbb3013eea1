import Internals
import URLLoading

/// Ties one session configuration, with its settings for requests, to the engine of one network.
final class SessionBinding: Sendable {
  private struct Snapshot {
    var idleTimeout: TimeInterval = 60
    var headers: [(name: String, value: String)] = []
    var settings = ExchangeSettings()
  }

  /// Unchecked: `URLSessionConfiguration` has no lock, but this copy is read only once, after the session exists.
  private struct Source: @unchecked Sendable {
    let configuration: URLSessionConfiguration
  }

  let engine: NetworkEngine
  /// The sessions of the network's simulation; `nil` outside of a simulation.
  let sessions: SimulatedSessions?
  /// Whether the client made the session itself, without the network.
  let isAdopted: Bool
  /// The configuration; `nil` for the network's own calls.
  private let source: Source?
  private let client: Int?
  private let snapshot = Mutex<Snapshot?>(nil)

  init(
    engine: NetworkEngine, configuration: URLSessionConfiguration? = nil, client: Int?,
    sessions: SimulatedSessions? = nil, isAdopted: Bool = false
  ) {
    self.engine = engine
    self.client = client
    self.sessions = sessions
    self.isAdopted = isAdopted
    source = configuration.map(Source.init)
  }

  /// Returns the request as it leaves the client, with stored cookies if `sendsCookies`, and its exchange's settings.
  func prepare(
    _ request: URLRequest, _ body: UploadSource, followsRedirects: Bool, sendsCookies: Bool
  ) -> (URLRequest, ExchangeSettings) {
    let snapshot = self.snapshot.withLock { value in
      if let value { return value }
      let fresh = read(source?.configuration)
      value = fresh
      return fresh
    }
    var request = request
    for (name, value) in snapshot.headers where request.value(forHTTPHeaderField: name) == nil {
      request.setValue(value, forHTTPHeaderField: name)
    }
    // Like URLSession, which adds no content type to the body of an upload task.
    if request.httpMethod == "POST", body.size == nil || request.httpBody?.isEmpty == false,
      request.value(forHTTPHeaderField: "Content-Type") == nil
    {
      request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
    }
    // Measured on Linux: a session sends the user and the password of a URL with the first request.
    if let url = request.url, let user = url.user(percentEncoded: false),
      request.value(forHTTPHeaderField: "Authorization") == nil
    {
      let credentials = Data("\(user):\(url.password(percentEncoded: false) ?? "")".utf8)
      request.setValue("Basic \(credentials.base64EncodedString())", forHTTPHeaderField: "Authorization")
    }
    var settings = snapshot.settings
    // A request's default is 60 s. With that value the session's timeout counts.
    let idle = request.timeoutInterval == 60 ? snapshot.idleTimeout : request.timeoutInterval
    settings.idleTimeout = ExchangeSettings.timeout(idle)
    settings.followsRedirects = followsRedirects
    if !request.httpShouldHandleCookies { settings.cookies = nil }
    if sendsCookies { settings.cookies?.apply(to: &request) }
    return (request, settings)
  }

  /// Removes a simulation's cookies from a storage that outlives it, so that the next run does not find them.
  func restoreCookies() { snapshot.withLock { $0?.settings.cookies }?.restore() }

  private func read(_ configuration: URLSessionConfiguration?) -> Snapshot {
    var snapshot = Snapshot()
    snapshot.settings.client = client
    snapshot.settings.sessions = sessions
    guard let configuration else {
      // A session's usual limit: a week.
      snapshot.settings.resourceTimeout = ExchangeSettings.timeout(604_800)
      snapshot.settings.cookies = CookieJar(storage: nil, sends: true)
      return snapshot
    }
    snapshot.idleTimeout = configuration.timeoutIntervalForRequest
    snapshot.settings.resourceTimeout = ExchangeSettings.timeout(configuration.timeoutIntervalForResource)
    snapshot.settings.waitsForConnectivity = ClientContext.waitsForConnectivity(configuration)
    for (name, value) in configuration.httpAdditionalHeaders ?? [:] {
      if let name = name as? String { snapshot.headers.append((name, "\(value)")) }
    }
    snapshot.headers.sort { $0.name < $1.name }
    if let storage = configuration.httpCookieStorage, configuration.httpCookieAcceptPolicy != .never {
      let isOfAllRuns = sessions != nil && (isAdopted || storage === HTTPCookieStorage.shared)
      snapshot.settings.cookies = CookieJar(
        storage: storage, sends: configuration.httpShouldSetCookies, remembers: isOfAllRuns)
    }
    return snapshot
  }
}

import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// Clients on delegates and completion handlers.

/// A common delegate: collects the bytes of each task and retries after a delay.
final class DelegateClient: NSObject, URLSessionDataDelegate {
  private var session: URLSession?
  private var bodies: [Int: Data] = [:]
  private var names: [Int: String] = [:]
  private var pending: Int
  private let base: URL
  private let start = Date()
  private(set) var log: [String] = []
  private let completion: (String) -> Void
  private let retryQueue: DispatchQueue

  init(
    _ configuration: URLSessionConfiguration, base: URL, queue: OperationQueue?, ids: [Int],
    retryQueue: DispatchQueue, completion: @escaping (String) -> Void
  ) {
    self.base = base
    self.completion = completion
    self.retryQueue = retryQueue
    pending = ids.count
    super.init()
    session = URLSession(configuration: configuration, delegate: self, delegateQueue: queue)
    for id in ids { get("items/\(id)") }
  }

  private func get(_ name: String) {
    guard let task = session?.dataTask(with: request(base.appendingPathComponent(name))) else { return }
    task.taskDescription = name
    task.resume()
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    bodies[dataTask.taskIdentifier] = Data()
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    bodies[dataTask.taskIdentifier, default: Data()].append(data)
    log.append("+\(data.count)")
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: Error?) {
    let name = task.taskDescription ?? "?"
    if (task.response as? HTTPURLResponse)?.statusCode == 503 {
      retryQueue.asyncAfter(deadline: .now() + 0.3) { self.get(name) }
      return
    }
    log.append("\(name)=\(error.map(short) ?? "\(bodies[task.taskIdentifier]?.count ?? 0)")@\(ms(start))")
    pending -= 1
    if pending == 0 {
      session.finishTasksAndInvalidate()
      completion(log.joined(separator: " "))
    }
  }
}

/// A singleton on the shared session.
final class SharedAPI {
  static let shared = SharedAPI()
  func get(_ url: URL, tries: Int = 3, _ completion: @escaping (Result<Data, Error>) -> Void) {
    URLSession.shared.dataTask(with: request(url)) { data, response, error in
      let outcome = result(data, response, error)
      if case .failure = outcome, tries > 1 {
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(400)) {
          self.get(url, tries: tries - 1, completion)
        }
      } else {
        DispatchQueue.main.async { completion(outcome) }
      }
    }.resume()
  }
}

/// Retries with `asyncAfter` on a queue.
final class RetryingClient {
  let session: URLSession
  let queue: DispatchQueue
  var attempts = 0
  init(session: URLSession, queue: DispatchQueue) { (self.session, self.queue) = (session, queue) }

  func get(_ url: URL, attempt: Int = 0, _ completion: @escaping (Result<Data, Error>) -> Void) {
    attempts += 1
    session.dataTask(with: request(url)) { data, response, error in
      self.queue.async {
        switch result(data, response, error) {
        case .success(let data): completion(.success(data))
        case .failure(let error):
          if attempt == 4 { return completion(.failure(error)) }
          let delay = pow(2, Double(attempt)) * 0.25
          self.queue.asyncAfter(deadline: .now() + delay) { self.get(url, attempt: attempt + 1, completion) }
        }
      }
    }.resume()
  }

  func all(_ urls: [URL], _ completion: @escaping (String) -> Void, log: [String] = []) {
    guard let url = urls.first else { return completion(log.joined(separator: " ")) }
    let start = Date()
    get(url) { outcome in
      let text = (try? outcome.get()).map { "\($0.count)" } ?? "failed"
      self.all(Array(urls.dropFirst()), completion, log: log + ["\(text)@\(ms(start))"])
    }
  }
}

/// Polls with a `Timer`.
final class Poller {
  private var timer: Timer?
  private var ticks = 0
  private let start = Date()
  let session: URLSession
  let url: URL
  let completion: (String) -> Void
  init(session: URLSession, url: URL, completion: @escaping (String) -> Void) {
    (self.session, self.url, self.completion) = (session, url, completion)
  }

  func begin() {
    timer = Timer.scheduledTimer(withTimeInterval: 0.5, repeats: true) { [self] _ in
      ticks += 1
      session.dataTask(with: request(url)) { data, response, error in
        DispatchQueue.main.async { [self] in
          guard let timer, timer.isValid, (response as? HTTPURLResponse)?.statusCode == 200 else { return }
          timer.invalidate()
          completion("ready after \(ticks) ticks, \(ms(start)) ms")
        }
      }.resume()
    }
  }
}

/// A token that expires by `Date()`.
final class TokenClient {
  private var token: (text: String, expires: Date)?
  private(set) var refreshes = 0
  let session: URLSession
  let base: URL
  init(session: URLSession, base: URL) { (self.session, self.base) = (session, base) }

  private func validToken() async throws -> String {
    if let token, token.expires > Date() { return token.text }
    refreshes += 1
    let data = try await fetchWithSleeps(session, base.appendingPathComponent("token"))
    struct Answer: Decodable { let token: String; let expires_in: Double }
    let answer = try JSONDecoder().decode(Answer.self, from: data)
    token = (answer.token, Date().addingTimeInterval(answer.expires_in))
    return answer.token
  }

  func get(_ id: Int) async throws -> Int {
    var request = request(base.appendingPathComponent("work/\(id)"))
    request.setValue("Bearer \(try await validToken())", forHTTPHeaderField: "Authorization")
    return try checked(try await session.data(for: request)).count
  }
}

/// Callers share one refresh: their callbacks wait in an array under a lock.
final class CoalescingClient {
  private let lock = NSLock()
  private var pending: [(String) -> Void]?
  private(set) var refreshes = 0
  let client: RetryingClient
  let url: URL
  init(_ client: RetryingClient, _ url: URL) { (self.client, self.url) = (client, url) }
  func token(_ completion: @escaping (String) -> Void) {
    lock.lock()
    defer { lock.unlock() }
    if pending != nil { return pending!.append(completion) }
    pending = [completion]
    refreshes += 1
    client.get(url) { [self] outcome in
      lock.lock()
      let waiters = pending ?? []
      pending = nil
      lock.unlock()
      let text = (try? outcome.get()).map { "\($0.count) bytes" } ?? "none"
      for waiter in waiters { waiter(text) }
    }
  }
}

func items(_ s: ClientSurroundings, _ ids: [Int]) -> [URL] { ids.map { s.base.appendingPathComponent("items/\($0)") } }

let callbackShapes: [ClientShape] = [
  ClientShape("delegate", required: true) { s in
    await waiting { done in
      _ = DelegateClient(
        s.session.configuration, base: s.base, queue: nil, ids: [0, 1, 2, 5], retryQueue: .global(), completion: done)
    }
  },
  ClientShape("delegateOnMain", required: true) { s in
    await waiting { done in
      _ = DelegateClient(
        s.session.configuration, base: s.base, queue: .main, ids: [0, 1, 2, 5], retryQueue: .main, completion: done)
    }
  },
  ClientShape("sharedSession", required: true) { s in
    let start = Date()
    let sizes = await withTaskGroup(of: String.self) { group in
      for url in items(s, [0, 1, 2]) {
        group.addTask {
          let outcome: Result<Data, Error> = await waiting { done in SharedAPI.shared.get(url) { done($0) } }
          return (try? outcome.get()).map { "\($0.count)@\(ms(start))" } ?? "failed"
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    return "\(sizes)"
  },
  ClientShape("asyncAfterMain", required: true) { s in
    await waiting { done in
      RetryingClient(session: s.session, queue: .main).all(items(s, [0, 1, 2, 5, 8]), done)
    }
  },
  ClientShape("asyncAfterGlobal", required: true) { s in
    await waiting { done in
      RetryingClient(session: s.session, queue: .global(qos: .utility)).all(items(s, [0, 1, 2, 5, 8]), done)
    }
  },
  ClientShape("asyncAfterSerial") { s in
    let start = Date()
    let client = RetryingClient(session: s.session, queue: DispatchQueue(label: "client"))
    let texts = await withTaskGroup(of: String.self) { group in
      for url in items(s, [1, 2, 4, 5]) {
        group.addTask {
          let outcome: Result<Data, Error> = await waiting { done in
            client.queue.async { client.get(url) { done($0) } }
          }
          return (try? outcome.get()).map { "\($0.count)@\(ms(start))" } ?? "failed"
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    return "\(texts), \(client.attempts) attempts"
  },
  ClientShape("timer", required: true) { s in
    await waiting { done in
      DispatchQueue.main.async {
        Poller(session: s.session, url: s.base.appendingPathComponent("poll"), completion: done).begin()
      }
    }
  },
  ClientShape("dateExpiry", required: true, expected: ["2 refreshes"]) { s in
    let client = TokenClient(session: s.session, base: s.base)
    let start = Date()
    var sizes: [Int] = []
    // Each request takes more than a second; a token is valid for 2.5 s.
    for id in 0..<6 { sizes.append(try await client.get(id)) }
    return "\(sizes), \(client.refreshes) refreshes, \(ms(start)) ms"
  },
  ClientShape("coalescedRefresh") { s in
    let client = RetryingClient(session: s.session, queue: DispatchQueue(label: "refresh"))
    let coalescing = CoalescingClient(client, s.base.appendingPathComponent("items/5"))
    let texts = await withTaskGroup(of: String.self) { group in
      for index in 0..<5 {
        group.addTask {
          await waiting { done in
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(index * 30)) { coalescing.token(done) }
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    return "\(texts), \(coalescing.refreshes) refreshes"
  },
  ClientShape("lateAnalytics") { s in
    // Like analytics: sends an event after the work is done, without waiting for the response.
    func track(_ name: String) {
      DispatchQueue.global().asyncAfter(deadline: .now() + 0.2) {
        var post = request(s.base.appendingPathComponent("analytics"))
        post.httpMethod = "POST"
        post.httpBody = Data(name.utf8)
        s.session.dataTask(with: post) { _, _, _ in }.resume()
      }
    }
    let client = RetryingClient(session: s.session, queue: DispatchQueue(label: "client"))
    let text: String = await waiting { done in client.all(items(s, [0, 1]), done) }
    track("loaded")
    return text
  },
  ClientShape("lateTask") { s in
    let text = try await fetchWithSleeps(s.session, s.base.appendingPathComponent("items/0")).count
    Task {
      try? await Task.sleep(nanoseconds: 100_000_000)
      _ = try? await s.session.data(for: request(s.base.appendingPathComponent("analytics")))
    }
    return "\(text) bytes"
  },
  ClientShape("taskProgress") { s in
    final class Watcher: NSObject, URLSessionDataDelegate {
      var seen: [String] = []
      let done: (String) -> Void
      init(_ done: @escaping (String) -> Void) { self.done = done }
      func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        seen.append("\(data.count):\(Int(dataTask.progress.fractionCompleted * 100))%")
      }
      func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: Error?) {
        done((seen + [error.map(short) ?? "done"]).joined(separator: " "))
        session.finishTasksAndInvalidate()
      }
    }
    return await waiting { done in
      let session = URLSession(configuration: s.session.configuration, delegate: Watcher(done), delegateQueue: nil)
      session.dataTask(with: request(s.base.appendingPathComponent("large"))).resume()
    }
  },
  ClientShape("notificationCenter") { s in
    let name = Notification.Name("loaded-\(UUID().uuidString)")
    let start = Date()
    var observer: NSObjectProtocol?
    let text: String = await waiting { done in
      var seen: [String] = []
      observer = NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main) { note in
        seen.append("\(note.userInfo?["size"] ?? 0)@\(ms(start))")
        if seen.count == 3 { done(seen.joined(separator: " ")) }
      }
      let client = RetryingClient(session: s.session, queue: .global())
      for url in items(s, [0, 1, 2]) {
        client.get(url) { outcome in
          NotificationCenter.default.post(
            name: name, object: nil, userInfo: ["size": (try? outcome.get())?.count ?? -1])
        }
      }
    }
    if let observer { NotificationCenter.default.removeObserver(observer) }
    return text
  },
  ClientShape("cancelInCallback") { s in
    let start = Date()
    return await waiting { done in
      let slow = s.session.dataTask(with: request(s.base.appendingPathComponent("slow"))) { _, _, error in
        done("slow ended with \(error.map(short) ?? "nothing") at \(ms(start))")
      }
      slow.resume()
      s.session.dataTask(with: request(s.base.appendingPathComponent("items/0"))) { _, _, _ in slow.cancel() }.resume()
    }
  },
]

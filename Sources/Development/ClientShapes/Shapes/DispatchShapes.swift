import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// Clients that use queues, groups, operations and sources.

/// A synchronous operation: waits for its response with a semaphore and sleeps between attempts.
final class FetchOperation: Operation, @unchecked Sendable {
  let session: URLSession
  let url: URL
  var size: Int?
  var attempts = 0
  init(_ session: URLSession, _ url: URL) { (self.session, self.url) = (session, url) }

  override func main() {
    while attempts < 4, !isCancelled {
      attempts += 1
      let semaphore = DispatchSemaphore(value: 0)
      session.dataTask(with: request(url)) { data, response, error in
        self.size = (try? result(data, response, error).get())?.count
        semaphore.signal()
      }.resume()
      semaphore.wait()
      if size != nil { return }
      Thread.sleep(forTimeInterval: 0.2 * Double(attempts))
    }
  }
}

/// A typical asynchronous operation with its own state.
final class AsyncFetch: Operation, @unchecked Sendable {
  private let lock = NSLock()
  private var running = false
  private var done = false
  let client: RetryingClient
  let url: URL
  var text = ""
  init(_ client: RetryingClient, _ url: URL) { (self.client, self.url) = (client, url) }
  override var isAsynchronous: Bool { true }
  override var isExecuting: Bool { lock.withLock { running } }
  override var isFinished: Bool { lock.withLock { done } }
  override func start() {
    willChangeValue(forKey: "isExecuting")
    lock.withLock { running = true }
    didChangeValue(forKey: "isExecuting")
    client.get(url) { [self] outcome in
      text = (try? outcome.get()).map { "\($0.count)" } ?? "failed"
      willChangeValue(forKey: "isExecuting")
      willChangeValue(forKey: "isFinished")
      lock.withLock { (running, done) = (false, true) }
      didChangeValue(forKey: "isExecuting")
      didChangeValue(forKey: "isFinished")
    }
  }
}

/// A cache behind a concurrent queue with barriers.
final class BarrierCache {
  private let queue = DispatchQueue(label: "cache", attributes: .concurrent)
  private var values: [URL: Data] = [:]
  private(set) var log: [String] = []
  subscript(url: URL) -> Data? { queue.sync { values[url] } }
  func put(_ data: Data, _ url: URL) {
    queue.async(flags: .barrier) {
      self.values[url] = data
      self.log.append("\(url.lastPathComponent):\(data.count)")
    }
  }
  var all: [String] { queue.sync(flags: .barrier) { log } }
}

/// Search as you type, debounced with a work item.
final class Debouncer {
  private var item: DispatchWorkItem?
  private let start = Date()
  private(set) var sent: [String] = []
  let session: URLSession
  let base: URL
  init(session: URLSession, base: URL) { (self.session, self.base) = (session, base) }
  func type(_ text: String, _ completion: @escaping (String) -> Void) {
    item?.cancel()
    let item = DispatchWorkItem { [self] in
      sent.append("\(text)@\(ms(start))")
      let url = base.appendingPathComponent("items/\(text.count)")
      session.dataTask(with: request(url)) { data, _, _ in
        DispatchQueue.main.async { completion("\(self.sent.joined(separator: " ")) -> \(data?.count ?? -1)") }
      }.resume()
    }
    self.item = item
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.3, execute: item)
  }
}

let dispatchShapes: [ClientShape] = [
  ClientShape("operationQueueSemaphore", required: true) { s in
    let start = Date()
    return await waiting { done in
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = 2
      let operations = items(s, [0, 1, 2, 4, 5]).map { FetchOperation(s.session, $0) }
      let last = BlockOperation {
        let sizes = operations.map { "\($0.size ?? -1)/\($0.attempts)" }
        done("\(sizes.joined(separator: " ")), \(ms(start)) ms")
      }
      for operation in operations { last.addDependency(operation) }
      queue.addOperations(operations + [last], waitUntilFinished: false)
    }
  },
  ClientShape("asyncOperation") { s in
    let start = Date()
    return await waiting { done in
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = 2
      let client = RetryingClient(session: s.session, queue: DispatchQueue(label: "operations"))
      let operations = items(s, [1, 2, 4, 5]).map { AsyncFetch(client, $0) }
      operations[3].addDependency(operations[0])
      queue.addOperations(operations, waitUntilFinished: false)
      DispatchQueue.global().async {
        queue.waitUntilAllOperationsAreFinished()
        done("\(operations.map(\.text)), \(ms(start)) ms")
      }
    }
  },
  ClientShape("groupNotify") { s in
    let start = Date()
    return await waiting { done in
      let group = DispatchGroup()
      let lock = NSLock()
      var texts: [String] = []
      let client = RetryingClient(session: s.session, queue: .global())
      for url in items(s, [0, 1, 2, 5]) {
        group.enter()
        client.get(url) { outcome in
          lock.withLock { texts.append("\((try? outcome.get())?.count ?? -1)@\(ms(start))") }
          group.leave()
        }
      }
      group.notify(queue: .main) { done("\(texts.joined(separator: " ")), \(ms(start)) ms") }
    }
  },
  ClientShape("groupWaitTimeout", expected: ["timed out at 2000 ms"]) { s in
    await waiting { done in
      DispatchQueue.global().async {
        let start = Date()
        let group = DispatchGroup()
        group.enter()
        s.session.dataTask(with: request(s.base.appendingPathComponent("slow"))) { _, _, _ in group.leave() }.resume()
        let first =
          group.wait(timeout: .now() + 2) == .timedOut ? "timed out at \(ms(start)) ms" : "done at \(ms(start)) ms"
        let second = group.wait(timeout: .now() + .seconds(60)) == .timedOut ? "timed out" : "done"
        done("\(first), then \(second) at \(ms(start)) ms")
      }
    }
  },
  ClientShape("semaphoreTimeout", expected: ["timed out at 1500 ms"]) { s in
    await waiting { done in
      DispatchQueue(label: "blocking").async {
        let start = Date()
        let semaphore = DispatchSemaphore(value: 0)
        let task = s.session.dataTask(with: request(s.base.appendingPathComponent("slow"))) { _, _, _ in
          semaphore.signal()
        }
        task.resume()
        var text = "done at \(ms(start)) ms"
        if semaphore.wait(timeout: .now() + 1.5) == .timedOut {
          text = "timed out at \(ms(start)) ms"
          task.cancel()
          semaphore.wait()
        }
        done("\(text), ended at \(ms(start)) ms")
      }
    }
  },
  ClientShape("dispatchSourceTimer") { s in
    await waiting { done in
      let start = Date()
      let queue = DispatchQueue(label: "poll")
      let timer = DispatchSource.makeTimerSource(queue: queue)
      var ticks = 0
      timer.schedule(deadline: .now() + .milliseconds(250), repeating: .milliseconds(400), leeway: .milliseconds(20))
      timer.setEventHandler {
        ticks += 1
        s.session.dataTask(with: request(s.base.appendingPathComponent("poll"))) { _, response, _ in
          queue.async {
            guard (response as? HTTPURLResponse)?.statusCode == 200, !timer.isCancelled else { return }
            timer.cancel()
            done("ready after \(ticks) ticks, \(ms(start)) ms")
          }
        }.resume()
      }
      timer.resume()
    }
  },
  ClientShape("workItemCancel", expected: ["at 1200 ms"]) { s in
    await waiting { done in
      let start = Date()
      let queue = DispatchQueue(label: "timeouts")
      var timeout: DispatchWorkItem?
      let task = s.session.dataTask(with: request(s.base.appendingPathComponent("slow"))) { _, _, error in
        queue.async {
          timeout?.cancel()
          let first = "slow: \(error.map(short) ?? "came") at \(ms(start)) ms"
          let quick = DispatchWorkItem { done("wrong: the quick one timed out") }
          queue.asyncAfter(deadline: .now() + 30, execute: quick)
          s.session.dataTask(with: request(s.base.appendingPathComponent("items/0"))) { data, _, _ in
            queue.async {
              quick.cancel()
              done("\(first), quick: \(data?.count ?? -1) bytes at \(ms(start)) ms")
            }
          }.resume()
        }
      }
      timeout = DispatchWorkItem { task.cancel() }
      queue.asyncAfter(deadline: .now() + 1.2, execute: timeout!)
      task.resume()
    }
  },
  ClientShape("workItemNotifyWait") { s in
    await waiting { done in
      let start = Date()
      let item = DispatchWorkItem {
        let semaphore = DispatchSemaphore(value: 0)
        s.session.dataTask(with: request(s.base.appendingPathComponent("items/3"))) { _, _, _ in semaphore.signal() }
          .resume()
        semaphore.wait()
      }
      item.notify(queue: .main) {
        let first = "notified at \(ms(start))"
        DispatchQueue.global().async {
          let late = DispatchWorkItem { Thread.sleep(forTimeInterval: 2) }
          DispatchQueue.global().async(execute: late)
          let outcome = late.wait(timeout: .now() + 0.5) == .timedOut ? "timed out" : "done"
          done("\(first), \(outcome) at \(ms(start))")
        }
      }
      DispatchQueue.global().async(execute: item)
    }
  },
  ClientShape("barrierCache") { s in
    let cache = BarrierCache()
    let start = Date()
    let client = RetryingClient(session: s.session, queue: DispatchQueue(label: "loader", attributes: .concurrent))
    await withTaskGroup(of: Void.self) { group in
      for url in items(s, [0, 1, 2, 3, 4, 1, 2]) {
        group.addTask {
          await waiting { done in
            if cache[url] != nil { return done(()) }
            client.get(url) { outcome in
              if let data = try? outcome.get() { cache.put(data, url) }
              done(())
            }
          }
        }
      }
    }
    return "\(cache.all.joined(separator: " ")), \(client.attempts) attempts, \(ms(start)) ms"
  },
  ClientShape("targetQueues") { s in
    await waiting { done in
      let start = Date()
      let root = DispatchQueue(label: "root")
      let network = DispatchQueue(label: "network", target: root)
      let state = DispatchQueue(label: "state", attributes: .concurrent, target: root)
      let key = DispatchSpecificKey<String>()
      root.setSpecific(key: key, value: "root")
      let client = RetryingClient(session: s.session, queue: network)
      var log: [String] = []
      client.all(items(s, [1, 2, 5])) { text in
        dispatchPrecondition(condition: .onQueue(root))
        log.append(DispatchQueue.getSpecific(key: key) ?? "none")
        state.async {
          log.append(text)
          network.async(flags: .barrier) { done("\(log.joined(separator: " ")), \(ms(start)) ms") }
        }
      }
    }
  },
  ClientShape("mainSync") { s in
    await waiting { done in
      DispatchQueue.global().async {
        let start = Date()
        var texts: [String] = []
        for id in 0..<3 {
          let semaphore = DispatchSemaphore(value: 0)
          s.session.dataTask(with: request(s.base.appendingPathComponent("items/\(id)"))) { data, _, _ in
            DispatchQueue.main.sync { texts.append("\(data?.count ?? -1)@\(ms(start)) \(Thread.isMainThread)") }
            semaphore.signal()
          }.resume()
          semaphore.wait()
        }
        done(texts.joined(separator: " "))
      }
    }
  },
  ClientShape("mainHops") { s in
    // A chain of requests, each started on the main queue.
    await waiting { done in
      var sizes: [Int] = []
      func next(_ id: Int) {
        guard id < 12 else { return done("\(sizes)") }
        s.session.dataTask(with: request(s.base.appendingPathComponent("items/\(id)"))) { data, _, _ in
          DispatchQueue.main.async {
            sizes.append(data?.count ?? -1)
            next(id + 1)
          }
        }.resume()
      }
      DispatchQueue.main.async { next(0) }
    }
  },
  ClientShape("debounce") { s in
    await waiting { done in
      let box = Debouncer(session: s.session, base: s.base)
      for (index, (text, at)) in [("s", 0), ("sw", 120), ("swi", 250), ("swif", 900), ("swift", 1000)].enumerated() {
        DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(at)) {
          box.type(text) { result in if index == 4 { done(result) } }
        }
      }
    }
  },
  ClientShape("concurrentPerform") { s in
    await waiting { done in
      DispatchQueue.global().async {
        let start = Date()
        let lock = NSLock()
        var texts: [String] = []
        DispatchQueue.concurrentPerform(iterations: 4) { index in
          let semaphore = DispatchSemaphore(value: 0)
          s.session.dataTask(with: request(s.base.appendingPathComponent("items/\(index)"))) { data, _, _ in
            lock.withLock { texts.append("\(index):\(data?.count ?? -1)@\(ms(start))") }
            semaphore.signal()
          }.resume()
          semaphore.wait()
        }
        done(texts.joined(separator: " "))
      }
    }
  },
  ClientShape("semaphoreThrottle") { s in
    // A semaphore on a global queue allows two requests at once.
    await waiting { done in
      let start = Date()
      let slots = DispatchSemaphore(value: 2)
      let group = DispatchGroup()
      let lock = NSLock()
      var texts: [String] = []
      DispatchQueue.global(qos: .background).async {
        for url in items(s, [0, 1, 2, 3, 4, 5]) {
          slots.wait()
          group.enter()
          s.session.dataTask(with: request(url)) { data, _, _ in
            lock.withLock { texts.append("\(data?.count ?? -1)@\(ms(start))") }
            slots.signal()
            group.leave()
          }.resume()
        }
        group.notify(queue: .global()) { done(texts.joined(separator: " ")) }
      }
    }
  },
  ClientShape("wallDeadline") { s in
    await waiting { done in
      let start = Date()
      DispatchQueue.global().asyncAfter(wallDeadline: .now() + 1.25) {
        s.session.dataTask(with: request(s.base.appendingPathComponent("items/0"))) { data, _, _ in
          done("\(data?.count ?? -1) at \(ms(start))")
        }.resume()
      }
    }
  },
]

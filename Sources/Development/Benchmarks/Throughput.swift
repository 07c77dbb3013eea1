import Internals
import NetworkConditions
import URLLoading

/// Counts what it is given and forgets it.
final class CountingDelegate: NSObject, URLSessionDataDelegate, Sendable {
  private struct State {
    var bytes: Int64 = 0
    var error: (any Error)?
    var waiter: CheckedContinuation<Int64, any Error>?
    var isDone = false
  }
  private let state = Mutex(State())
  let onData: @Sendable (Int64) -> Void

  init(onData: @escaping @Sendable (Int64) -> Void = { _ in }) {
    self.onData = onData
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let sum = state.withLock { state in
      state.bytes += Int64(data.count)
      return state.bytes
    }
    onData(sum)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let (waiter, bytes) = state.withLock { state in
      state.isDone = true
      state.error = error
      return (state.waiter, state.bytes)
    }
    if let error { waiter?.resume(throwing: error) } else { waiter?.resume(returning: bytes) }
  }

  /// Waits for the end and gives the number of bytes.
  func end() async throws -> Int64 {
    try await withCheckedThrowingContinuation { continuation in
      let result: Result<Int64, any Error>? = state.withLock { state in
        guard state.isDone else {
          state.waiter = continuation
          return nil
        }
        return state.error.map { .failure($0) } ?? .success(state.bytes)
      }
      if let result { continuation.resume(with: result) }
    }
  }
}

/// A real 256 MB GET: over an unlimited simulated network against the session alone.
enum Throughput {
  static func run() async throws {
    try await Child.withServer { server in
      guard let url = URL(string: "\(server)bytes/256000000") else { return }
      var ratios: [Double] = []
      var rates: [Double] = []
      for _ in 0..<5 {
        let alone = try await get(url, .ephemeral)
        let network = SimulatedNetwork("unlimited", transport: URLSessionTransport())
        let wrapped = try await get(url, network.sessionConfiguration)
        network.invalidate()
        ratios.append(alone / wrapped)
        rates.append(256 / wrapped)
      }
      report(
        "throughput", "\(ratios.median.fixed(2)) of the unwrapped session, \(rates.median.fixed(0)) MB/s", goal: "0.8")
    }
  }

  private static func get(_ url: URL, _ configuration: URLSessionConfiguration) async throws -> Double {
    let delegate = CountingDelegate()
    let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    let start = seconds()
    session.dataTask(with: url).resume()
    let bytes = try await delegate.end()
    guard bytes == 256_000_000 else { throw CocoaError(.fileReadCorruptFile) }
    session.finishTasksAndInvalidate()
    return seconds() - start
  }
}

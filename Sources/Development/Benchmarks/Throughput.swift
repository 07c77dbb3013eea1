import Internals
import NetworkConditions
import URLLoading

/// Counts the received bytes and discards them.
final class CountingDelegate: NSObject, URLSessionDataDelegate, Sendable {
  private let bytes = Locked<Int64>(0)
  private let (events, atEnd) = AsyncThrowingStream<Never, any Error>.makeStream()
  let onData: @Sendable (Int64) -> Void

  init(onData: @escaping @Sendable (Int64) -> Void = { _ in }) {
    self.onData = onData
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let sum = bytes.withLock { bytes in
      bytes += Int64(data.count)
      return bytes
    }
    onData(sum)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    atEnd.finish(throwing: error)
  }

  /// Waits for the end and returns the number of bytes.
  func end() async throws -> Int64 {
    for try await _ in events {}
    return bytes.value
  }
}

/// A real 256 MB GET over an unlimited simulated network, compared with the session alone.
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

import Internals
import NetworkConditions
import URLLoading

/// Counts how often a second `resume()` near a task's end traps in Foundation on Linux: with us, with a bare class.
enum SecondResume {
  private static let processes = 20
  private static let count = 300

  static func run() async throws {
    for how in ["at-once", "late"] {
      for kind in ["bare", "ours"] {
        var traps = 0
        for number in 0..<processes {
          let (process, output) = try Child.start(["second-resume", kind, how, "\(number)"])
          _ = output.fileHandleForReading.readDataToEndOfFile()
          process.waitUntilExit()
          if process.terminationStatus != 0 { traps += 1 }
        }
        report("\(kind), answered \(how)", "\(traps) of \(processes) runs of \(count) trap", goal: "no more than bare")
      }
    }
  }

  /// Responds once, even if it is started again.
  private class OnceProtocol: URLProtocol {
    private var isStarted = false

    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func startLoading() {
      guard !isStarted else { return }
      isStarted = true
      answer()
    }
    override func stopLoading() {}

    fileprivate func answer() {
      guard let url = request.url,
        let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: nil)
      else { return }
      client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
      client?.urlProtocol(self, didLoad: Data("hello".utf8))
      client?.urlProtocolDidFinishLoading(self)
    }
  }

  #if os(Linux)
    @_silgen_name("dispatch_get_current_queue")
    private static func currentQueue() -> DispatchQueue

    /// Responds a millisecond later, on the task's work queue.
    private final class LateProtocol: OnceProtocol {
      fileprivate override func answer() {
        nonisolated(unsafe) let loading = self
        SecondResume.currentQueue().asyncAfter(deadline: .now() + .milliseconds(1)) { loading.answerNow() }
      }
      private func answerNow() { super.answer() }
    }
  #else
    private typealias LateProtocol = OnceProtocol
  #endif

  /// - Parameter arguments: the protocol, when it responds, and a number.
  static func child(_ arguments: [String]) {
    let isLate = arguments[1] == "late"
    let configuration: URLSessionConfiguration
    let network = SimulatedNetwork("unlimited")
    if arguments[0] == "ours" {
      network.stub("/**", with: isLate ? .text("hello").after(.milliseconds(1)) : .text("hello"))
      configuration = network.sessionConfiguration
    } else {
      configuration = .ephemeral
      configuration.urlCache = nil
      configuration.protocolClasses = [isLate ? LateProtocol.self : OnceProtocol.self]
    }
    let session = URLSession(configuration: configuration)
    var durations: [Double] = []
    for number in 0..<50 + count {
      let end = DispatchSemaphore(value: 0)
      let start = seconds()
      let task = session.dataTask(with: RequestRate.url) { _, _, _ in end.signal() }
      task.resume()
      // The first 50 tasks measure a task's duration; the others call `resume()` again at about that time.
      if number >= 50 {
        usleep(UInt32(max(0, durations.median * Double.random(in: 0.5..<1.2) * 1e6 - 60)))
        task.resume()
      }
      end.wait()
      if number < 50 { durations.append(seconds() - start) }
    }
  }
}

import AppleFoundation
import Internals
import Testing

@testable import AppleFoundation
@testable import FailureSearch
@testable import NetworkConditions

/// Run loops and system calls that behave differently from Linux.
struct SystemTests {
  @Test func `draining a client context waits for work that was sent to its busy thread`() throws {
    let thread = SystemThread(mode: "default")
    let request = URLRequest(url: LoadingTests.url("feed"))
    let context = Mutex<ClientContext?>(nil)
    let (isBusy, mayGoOn, isDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), Locked(false))
    thread.perform {
      let made = ClientContext(of: URLProtocol(request: request, cachedResponse: nil, client: nil))
      context.withLock { $0 = made }
      isBusy.signal()
      mayGoOn.wait()
    }
    isBusy.wait()
    thread.perform {
      // Long enough for the test to notice a drain that does not wait.
      usleep(50_000)
      isDone.withLock { $0 = true }
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50)) { mayGoOn.signal() }
    #expect(try #require(context.withLock { $0 }).drain(within: .seconds(10)))
    #expect(isDone.value)
  }

  @Test func `a blocked URLProtocol thread is refused within its time limit, and its work runs later`() throws {
    let thread = SystemThread(mode: "default")
    let sessions = SimulatedSessions(patience: .milliseconds(100))
    let (isBlocked, mayGoOn, isDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), Locked(0))
    let context = Mutex<ClientContext?>(nil)
    thread.perform {
      let made = URLProtocol(request: URLRequest(url: LoadingTests.url("feed")), cachedResponse: nil, client: nil)
      context.withLock { $0 = ClientContext(of: made) }
      sessions.loadDidBegin(made, in: ClientContext(of: made))
      isBlocked.signal()
      mayGoOn.wait()
    }
    isBlocked.wait()
    #expect(sessions.settle() == 0)
    let refusal = try #require(sessions.refusal)
    #expect("\(refusal)".contains("The thread on which the system runs protocols was blocked for 0.6 seconds"))
    for _ in 0..<10 { sessions.perform(in: context.withLock { $0 }) { isDone.withLock { $0 += 1 } } }
    #expect(sessions.settle() == 0 && sessions.refusal == refusal)
    mayGoOn.signal()
    #expect(try #require(context.withLock { $0 }).drain(within: .seconds(10)))
    #expect(isDone.value == 10)
  }

  @Test func `a worker process notices when the search process has gone`() throws {
    var (own, other) = try #require(WorkerLine.pair() as (WorkerLine?, FileHandle)?)
    let isNoticed = DispatchSemaphore(value: 0)
    DispatchQueue.global().async { [other] in
      WorkerLine.waitForHangUp(of: other.fileDescriptor)
      isNoticed.signal()
    }
    own = nil
    #expect(own == nil && isNoticed.wait(timeout: .now() + 10) == .success)
  }
}

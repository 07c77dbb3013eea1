// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, BeginDocumentationCommentWithOneLineSummary, NoLeadingUnderscores

// Apple's SDK refuses these in asynchronous code: they block a thread or ask for the current one. Linux allows them.
//
// Sources: `NS_SWIFT_UNAVAILABLE_FROM_ASYNC` in NSLock.h, NSThread.h, NSRunLoop.h and NSOperation.h; for Dispatch, the
// error of Apple's compiler ("unavailable from asynchronous contexts; Use a TaskGroup instead").

extension DispatchSemaphore {
  @available(*, noasync) public func wait() { self.Dispatch::wait() }
  @available(*, noasync) public func wait(timeout: DispatchTime) -> DispatchTimeoutResult {
    self.Dispatch::wait(timeout: timeout)
  }
  @available(*, noasync) public func wait(wallTimeout: DispatchWallTime) -> DispatchTimeoutResult {
    self.Dispatch::wait(wallTimeout: wallTimeout)
  }
}

extension DispatchGroup {
  @available(*, noasync) public func wait() { self.Dispatch::wait() }
  @available(*, noasync) public func wait(timeout: DispatchTime) -> DispatchTimeoutResult {
    self.Dispatch::wait(timeout: timeout)
  }
  @available(*, noasync) public func wait(wallTimeout: DispatchWallTime) -> DispatchTimeoutResult {
    self.Dispatch::wait(wallTimeout: wallTimeout)
  }
}

extension NSLock {
  @available(*, noasync) public func lock() { self.Foundation::lock() }
  @available(*, noasync) public func unlock() { self.Foundation::unlock() }
  @available(*, noasync) public func `try`() -> Bool { self.Foundation::try() }
  @available(*, noasync) public func lock(before limit: Date) -> Bool { self.Foundation::lock(before: limit) }
}

extension NSRecursiveLock {
  @available(*, noasync) public func lock() { self.Foundation::lock() }
  @available(*, noasync) public func unlock() { self.Foundation::unlock() }
}

extension NSCondition {
  @available(*, noasync) public func lock() { self.Foundation::lock() }
  @available(*, noasync) public func unlock() { self.Foundation::unlock() }
  @available(*, noasync) public func wait() { self.Foundation::wait() }
  @available(*, noasync) public func wait(until limit: Date) -> Bool { self.Foundation::wait(until: limit) }
  @available(*, noasync) public func signal() { self.Foundation::signal() }
}

extension Thread {
  @available(*, noasync) public class var current: Thread { Thread.Foundation::current }
  @available(*, noasync) public class var isMainThread: Bool { Thread.Foundation::isMainThread }
  @available(*, noasync) public class func sleep(until date: Date) { Thread.Foundation::sleep(until: date) }
  @available(*, noasync) public class func sleep(forTimeInterval interval: TimeInterval) {
    Thread.Foundation::sleep(forTimeInterval: interval)
  }
}

extension RunLoop {
  @available(*, noasync) public class var current: RunLoop { RunLoop.Foundation::current }
  @available(*, noasync) public func run() { self.Foundation::run() }
  @available(*, noasync) public func run(until limit: Date) { self.Foundation::run(until: limit) }
  @available(*, noasync) public func run(mode: RunLoop.Mode, before limit: Date) -> Bool {
    self.Foundation::run(mode: mode, before: limit)
  }
}

extension OperationQueue {
  @available(*, noasync) public func waitUntilAllOperationsAreFinished() {
    self.Foundation::waitUntilAllOperationsAreFinished()
  }
}

extension Operation {
  @available(*, noasync) public func waitUntilFinished() { self.Foundation::waitUntilFinished() }
}

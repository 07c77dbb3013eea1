import Foundation
import Internals

/// Lines of text between a search and one worker, over a socket pair.
final class WorkerLine: Sendable {
  private let descriptor: Int32
  /// The bytes that were received after the last complete line.
  private let rest = Mutex<[UInt8]>([])

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  static func pair() -> (own: WorkerLine, other: FileHandle)? {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, SystemSocket.stream, 0, &ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    SystemSocket.silence(ends[0])
    return (WorkerLine(ends[0]), FileHandle(fileDescriptor: ends[1], closeOnDealloc: true))
  }

  static func ofThisProcess() -> WorkerLine {
    let line = WorkerLine(dup(STDIN_FILENO))
    let nothing = open("/dev/null", O_RDONLY)
    dup2(nothing, STDIN_FILENO)
    close(nothing)
    dup2(STDERR_FILENO, STDOUT_FILENO)
    // Only the searching process handles an interruption; it then closes its end.
    signal(SIGINT, SIG_IGN)
    Thread.detachNewThread { [descriptor = line.descriptor] in
      waitForHangUp(of: descriptor)
      // A run that ends within this second still ends the process normally.
      sleep(1)
      _exit(0)
    }
    return line
  }

  /// Waits until the other end of a socket closes; asks every second, since Darwin may not report it (XNU, `poll_nocancel`).
  static func waitForHangUp(of descriptor: Int32) {
    var end = pollfd(fd: descriptor, events: Int16(POLLHUP), revents: 0)
    while poll(&end, 1, 1_000) < 1 || Int32(end.revents) & Int32(POLLHUP | POLLERR | POLLNVAL) == 0 {}
  }

  @discardableResult func send(_ text: String) -> Bool {
    var text = text + "\n"
    return text.withUTF8 { bytes in
      var done = 0
      while done < bytes.count {
        let count = Foundation.send(descriptor, bytes.baseAddress! + done, bytes.count - done, SystemSocket.sendFlags)
        if count < 0, errno == EINTR { continue }
        if count <= 0 { return false }
        done += count
      }
      return true
    }
  }

  @discardableResult func send(_ value: some Encodable) -> Bool {
    guard let data = try? JSONEncoder().encode(value) else { return false }
    return send(String(decoding: data, as: UTF8.self))
  }

  /// Waits for the next line; `nil` at the end of the stream, or when `idle` returns `false`.
  ///
  /// `idle` is called ten times a second and whenever bytes come. Its argument is whether a tenth of a second has passed.
  func receive(besides other: Int32 = -1, while idle: (_ isLong: Bool) -> Bool = { _ in true }) -> String? {
    var next = ContinuousClock.now + .milliseconds(Self.interval)
    var other = other
    while true {
      if let line = rest.withLock({ $0.takeLine() }) { return line }
      var ends = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0), pollfd(fd: other, events: Int16(POLLIN), revents: 0),
      ]
      let ready = poll(&ends, nfds_t(ends.count), Self.interval)
      if ready < 0, errno != EINTR { return nil }
      let isLong = ContinuousClock.now >= next
      if isLong { next = ContinuousClock.now + .milliseconds(Self.interval) }
      if !idle(isLong) { return nil }
      // A closed stream without bytes is ready for ever.
      if ends[1].revents != 0, ends[1].revents & Int16(POLLIN) == 0 { other = -1 }
      guard ends[0].revents != 0 else { continue }
      let bytes = [UInt8](unsafeUninitializedCapacity: Self.portion) { buffer, count in
        count = max(0, read(descriptor, buffer.baseAddress!, buffer.count))
      }
      if bytes.isEmpty { return nil }
      rest.withLock { $0 += bytes }
    }
  }

  private static let interval: Int32 = 100
  private static let portion = 64 << 10
}

extension [UInt8] {
  fileprivate mutating func takeLine() -> String? {
    guard let end = firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    defer { removeFirst(end + 1) }
    return String(decoding: self[..<end], as: UTF8.self)
  }
}

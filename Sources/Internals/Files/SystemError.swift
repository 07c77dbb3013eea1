package import Foundation

/// The error of a system call, identified by its `errno`.
package struct SystemError: Error, Hashable, Sendable {
  package let code: Int32

  package init(code: Int32 = errno) {
    self.code = code
  }

  /// Writes all bytes; waits while the descriptor accepts none.
  package static func write(_ data: Data, to descriptor: Int32) throws(SystemError) {
    let problem = data.withUnsafeBytes { bytes -> SystemError? in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: rest))
        if count >= 0 {
          rest = rest.dropFirst(count)
        } else if errno == EAGAIN {
          var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          poll(&waiting, 1, -1)
        } else if errno != EINTR {
          return SystemError()
        }
      }
      return nil
    }
    if let problem { throw problem }
  }

  private static func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    Foundation.write(descriptor, bytes.baseAddress, bytes.count)
  }
}

extension SystemError: LocalizedError, CustomStringConvertible {
  /// The system's message, such as `No space left on device`.
  package var description: String { String(cString: strerror(code)) }
  package var errorDescription: String? { description }
}

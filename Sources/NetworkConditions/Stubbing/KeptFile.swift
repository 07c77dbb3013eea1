import Foundation
import Internals

/// A file's contents at one time; it can be read even after the file was removed, but not after it changed.
///
/// It is not mapped, because reading a mapped file that was truncated ends the process.
final class KeptFile: Sendable {
  private let descriptor: Int32
  /// The file's size and time of last change.
  private let state: (size: Int64, time: [UInt8])

  init?(_ url: URL) {
    descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    guard let state = Self.state(of: descriptor) else {
      // An initializer that fails is not followed by `deinit`.
      close(descriptor)
      return nil
    }
    self.state = state
  }

  deinit { close(descriptor) }

  func load(_ count: Int64) -> Data? {
    var data = Data(count: Int(clamping: min(count, state.size)))
    let isRead = data.withUnsafeMutableBytes { bytes in
      var done = 0
      while done < bytes.count {
        let result = pread(descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(done))
        guard result > 0 || (result < 0 && errno == EINTR) else { return false }
        done += max(result, 0)
      }
      return true
    }
    guard isRead, let now = Self.state(of: descriptor), now == state else { return nil }
    return data
  }

  private static func state(of descriptor: Int32) -> (size: Int64, time: [UInt8])? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    return (Int64(status.st_size), withUnsafeBytes(of: status.modified) { Array($0) })
  }
}

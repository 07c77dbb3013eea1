import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A temporary file without a name, written at its end and read from its front.
///
/// The name is taken away as soon as the file is open: the system frees the space when the last descriptor closes, also
/// when the process crashes.
final class SpoolFile {
  private let descriptor: Int32
  private var readOffset: Int64 = 0
  private var writeOffset: Int64 = 0

  /// How many bytes wait to be read.
  var count: Int64 { writeOffset - readOffset }
  var isEmpty: Bool { readOffset == writeOffset }

  /// Opens a file in `directory`, or in the system's temporary folder.
  init(in directory: URL?) throws(URLError) {
    let folder = directory ?? URL(fileURLWithPath: NSTemporaryDirectory(), isDirectory: true)
    var template = Array(folder.appendingPathComponent("network-conditions.XXXXXX").path.utf8CString)
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else {
      throw Self.error(.cannotCreateFile, errno, "A spool file cannot be made in \(folder.path)")
    }
    unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  /// Opens what is at `path` as it is, for tests.
  init(openingForTests path: String) throws(URLError) {
    descriptor = open(path, O_RDWR)
    guard descriptor >= 0 else { throw Self.error(.cannotOpenFile, errno, "\(path) cannot be opened") }
  }

  deinit {
    close(descriptor)
  }

  /// Writes at the end; on an error nothing counts as written.
  func append(_ data: Data) throws(URLError) {
    var code: Int32 = 0
    data.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let result = pwrite(
          descriptor, bytes.baseAddress! + written, bytes.count - written, off_t(writeOffset + Int64(written)))
        if result > 0 {
          written += result
        } else if result == 0 || errno != EINTR {
          code = result == 0 ? ENOSPC : errno
          return
        }
      }
    }
    guard code == 0 else {
      throw Self.error(.cannotWriteToFile, code, "\(data.count) bytes of a body cannot be spooled to disk")
    }
    writeOffset += Int64(data.count)
  }

  /// Reads up to `limit` bytes from the front, and gives the file's space back when it has become empty.
  func take(upTo limit: Int) throws(URLError) -> Data {
    let wanted = Int(min(Int64(limit), count))
    var data = Data(count: wanted)
    var code: Int32 = 0
    data.withUnsafeMutableBytes { bytes in
      var done = 0
      while done < bytes.count {
        let result = pread(descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(readOffset + Int64(done)))
        if result > 0 {
          done += result
        } else if result == 0 || errno != EINTR {
          code = result == 0 ? EIO : errno
          return
        }
      }
    }
    guard code == 0 else { throw Self.error(.cannotOpenFile, code, "A spooled body cannot be read back") }
    readOffset += Int64(wanted)
    if isEmpty {
      readOffset = 0
      writeOffset = 0
      _ = ftruncate(descriptor, 0)
    }
    return data
  }

  private static func error(_ code: URLError.Code, _ posix: Int32, _ what: String) -> URLError {
    URLError(
      code,
      userInfo: [
        NSLocalizedDescriptionKey: "\(what): \(String(cString: strerror(posix))).",
        NSUnderlyingErrorKey: NSError(domain: NSPOSIXErrorDomain, code: Int(posix)),
      ])
  }
}

#if !canImport(Darwin)
  import Foundation

  /// A file without a name, which is gone when its process is, however that ends.
  enum UnnamedFile {
    /// `O_TMPFILE`, a macro that Swift does not see.
    private static let flag: Int32 = 0o20000000 | O_DIRECTORY

    /// Opens one for writing in a folder; -1 where its file system, or the system, has none.
    static func open(in folder: String, _ mode: mode_t) -> Int32 {
      Foundation.open(folder, flag | O_WRONLY | O_CLOEXEC, mode)
    }

    /// Gives an open one a name that nothing has.
    static func name(_ descriptor: Int32, _ path: String) -> Bool {
      linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, path, Int32(AT_SYMLINK_FOLLOW)) == 0
    }
  }
#endif

#if !canImport(Darwin)
  import Foundation

  /// A file without a name, which disappears when its process ends in any way.
  enum UnnamedFile {
    /// The flag `O_TMPFILE`, a C macro that Swift does not import.
    private static let flag: Int32 = 0o20000000 | O_DIRECTORY

    /// Opens an unnamed file for writing in a folder; -1 if the system or file system does not support it.
    static func open(in folder: String, _ mode: mode_t) -> Int32 {
      Foundation.open(folder, flag | O_WRONLY | O_CLOEXEC, mode)
    }

    /// Gives an unnamed file a new name; `false` if the name exists or linking fails.
    static func name(_ descriptor: Int32, _ path: String) -> Bool {
      linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, path, Int32(AT_SYMLINK_FOLLOW)) == 0
    }
  }
#endif

#if os(Linux)
  import Glibc
  import Interposition

  /// Calls that change or synchronise files; a client may be killed after each of them.
  extension Answers {
    static func addFiles(to answers: inout interposition_functions) {
      answers.open = { path, flags, mode in Answers.opened(interposition_real.open(path, flags, mode), flags) }
      answers.open64 = { path, flags, mode in Answers.opened(interposition_real.open64(path, flags, mode), flags) }
      answers.openat = { folder, path, flags, mode in
        Answers.opened(interposition_real.openat(folder, path, flags, mode), flags)
      }
      answers.openat64 = { folder, path, flags, mode in
        Answers.opened(interposition_real.openat64(folder, path, flags, mode), flags)
      }
      answers.write = { descriptor, memory, count in
        Answers.written(descriptor, interposition_real.write(descriptor, memory, count))
      }
      answers.pwrite = { descriptor, memory, count, place in
        Answers.written(descriptor, interposition_real.pwrite(descriptor, memory, count, place))
      }
      answers.pwrite64 = { descriptor, memory, count, place in
        Answers.written(descriptor, interposition_real.pwrite64(descriptor, memory, count, place))
      }
      answers.writev = { descriptor, pieces, count in
        Answers.written(descriptor, interposition_real.writev(descriptor, pieces, count))
      }
      answers.ftruncate = { descriptor, size in
        Answers.written(descriptor, interposition_real.ftruncate(descriptor, size))
      }
      answers.ftruncate64 = { descriptor, size in
        Answers.written(descriptor, interposition_real.ftruncate64(descriptor, size))
      }
      answers.fsync = { Answers.isSynchronised($0) ? 0 : interposition_real.fsync($0) }
      answers.fdatasync = { Answers.isSynchronised($0) ? 0 : interposition_real.fdatasync($0) }
      answers.syncfs = { Answers.areFilesSynchronised() ? 0 : interposition_real.syncfs($0) }
      answers.sync = { if !Answers.areFilesSynchronised() { interposition_real.sync() } }
      answers.rename = { from, to in Answers.named(to, interposition_real.rename(from, to)) }
      answers.renameat = { fromFolder, from, toFolder, to in
        Answers.named(to, in: toFolder, interposition_real.renameat(fromFolder, from, toFolder, to))
      }
      answers.renameat2 = { fromFolder, from, toFolder, to, flags in
        Answers.named(to, in: toFolder, interposition_real.renameat2(fromFolder, from, toFolder, to, flags))
      }
      answers.unlink = { path in Answers.named(path, interposition_real.unlink(path)) }
      answers.unlinkat = { folder, path, flags in
        Answers.named(path, in: folder, interposition_real.unlinkat(folder, path, flags))
      }
      answers.mkdir = { path, mode in Answers.named(path, interposition_real.mkdir(path, mode)) }
      answers.rmdir = { path in Answers.named(path, interposition_real.rmdir(path)) }
    }

    /// Reports a file that was opened, if the call may have created or emptied it.
    private static func opened(_ descriptor: Int32, _ flags: Int32) -> Int32 {
      guard descriptor >= 0, flags & (O_CREAT | O_TRUNC) != 0 else { return descriptor }
      if flags & O_TRUNC != 0 { return written(descriptor, descriptor) }
      note { interposition_is_below($0, descriptor) != 0 ? .named : nil }
      return descriptor
    }

    private static func written<Result: FixedWidthInteger>(_ descriptor: Int32, _ result: Result) -> Result {
      guard result >= 0 else { return result }
      note { folder in
        number(of: descriptor, below: folder).map {
          .written(file: $0, isSynchronised: fcntl(descriptor, F_GETFL) & O_DSYNC != 0)
        }
      }
      return result
    }

    /// Reports that the client synchronises a file or folder; returns `false` where the kernel must answer.
    ///
    /// A simulation never waits for the real medium. A busy one takes seconds, and Foundation synchronises its cookies
    /// in a queue that all simulations of the process share.
    private static func isSynchronised(_ descriptor: Int32) -> Bool {
      var status = stat()
      guard ClientThread.current != nil, fstat(descriptor, &status) == 0,
        [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
      else { return false }
      note { number(of: descriptor, below: $0).map { .synchronised(file: $0) } }
      return true
    }

    /// Reports that the client synchronises all files; returns `false` outside of simulations.
    private static func areFilesSynchronised() -> Bool {
      guard ClientThread.current != nil else { return false }
      note { _ in .synchronised(file: nil) }
      return true
    }

    private static func named(
      _ path: UnsafePointer<CChar>?, in folder: Int32 = AT_FDCWD, _ result: Int32
    ) -> Int32 {
      if result >= 0, let path { note { interposition_path_is_below($0, folder, path) != 0 ? .named : nil } }
      return result
    }

    /// The file's inode number, if the file is below `folder`.
    private static func number(of descriptor: Int32, below folder: String) -> UInt64? {
      var status = stat()
      guard interposition_is_below(folder, descriptor) != 0, fstat(descriptor, &status) == 0 else { return nil }
      return UInt64(status.st_ino)
    }

    /// Reports an access to a client's file.
    private static func note(_ access: (_ folder: String) -> FileAccess?) {
      guard let thread = ClientThread.current, let folder = thread.scheduler.watchedFolder,
        let access = access(folder)
      else { return }
      thread.atWork { $0.note(access) }
    }
  }
#endif

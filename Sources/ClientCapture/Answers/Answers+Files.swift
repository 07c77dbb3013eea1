#if os(Linux)
  import Glibc
  import Interposition

  /// Calls that change files: a client may be killed after each of them.
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
        Answers.changed(descriptor, interposition_real.write(descriptor, memory, count))
      }
      answers.pwrite = { descriptor, memory, count, place in
        Answers.changed(descriptor, interposition_real.pwrite(descriptor, memory, count, place))
      }
      answers.pwrite64 = { descriptor, memory, count, place in
        Answers.changed(descriptor, interposition_real.pwrite64(descriptor, memory, count, place))
      }
      answers.writev = { descriptor, pieces, count in
        Answers.changed(descriptor, interposition_real.writev(descriptor, pieces, count))
      }
      answers.ftruncate = { descriptor, size in
        Answers.changed(descriptor, interposition_real.ftruncate(descriptor, size))
      }
      answers.ftruncate64 = { descriptor, size in
        Answers.changed(descriptor, interposition_real.ftruncate64(descriptor, size))
      }
      answers.rename = { from, to in Answers.changed(to, interposition_real.rename(from, to)) }
      answers.renameat = { fromFolder, from, toFolder, to in
        Answers.changed(to, in: toFolder, interposition_real.renameat(fromFolder, from, toFolder, to))
      }
      answers.renameat2 = { fromFolder, from, toFolder, to, flags in
        Answers.changed(to, in: toFolder, interposition_real.renameat2(fromFolder, from, toFolder, to, flags))
      }
      answers.unlink = { path in Answers.changed(path, interposition_real.unlink(path)) }
      answers.unlinkat = { folder, path, flags in
        Answers.changed(path, in: folder, interposition_real.unlinkat(folder, path, flags))
      }
      answers.mkdir = { path, mode in Answers.changed(path, interposition_real.mkdir(path, mode)) }
      answers.rmdir = { path in Answers.changed(path, interposition_real.rmdir(path)) }
    }

    /// A file was opened, which is a change where that may create or empty it.
    private static func opened(_ descriptor: Int32, _ flags: Int32) -> Int32 {
      flags & (O_CREAT | O_TRUNC) == 0 ? descriptor : changed(descriptor, descriptor)
    }

    private static func changed<Result: FixedWidthInteger>(_ descriptor: Int32, _ result: Result) -> Result {
      if result >= 0 { note { interposition_is_below($0, descriptor) != 0 } }
      return result
    }

    private static func changed(
      _ path: UnsafePointer<CChar>?, in folder: Int32 = AT_FDCWD, _ result: Int32
    ) -> Int32 {
      if result >= 0, let path { note { interposition_path_is_below($0, folder, path) != 0 } }
      return result
    }

    /// Takes note of a change of a file, if it is one of the client's.
    private static func note(if isClients: (_ folder: String) -> Bool) {
      guard let thread = ClientThread.current, let folder = thread.scheduler.watchedFolder, isClients(folder) else {
        return
      }
      thread.atWork { $0.noteFileChange() }
    }
  }
#endif

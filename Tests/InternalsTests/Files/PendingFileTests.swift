import Foundation
import Internals
import Testing

struct PendingFileTests {
  /// A folder that is removed together with its contents.
  final class Folder {
    let path = NSTemporaryDirectory() + "pending-\(UUID().uuidString)"

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    subscript(name: String) -> String { "\(path)/\(name)" }
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
    func text(_ name: String) throws -> String { try String(contentsOfFile: self[name], encoding: .utf8) }
    func write(_ text: String, to name: String) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: self[name]))
    }
  }

  let folder: Folder

  init() throws { folder = try Folder() }

  private func mode(_ name: String) -> mode_t {
    var facts = stat()
    return stat(folder[name], &facts) == 0 ? facts.st_mode : 0
  }

  private func write(_ text: String, to path: String) throws {
    let file = try PendingFile(path)
    try file.write(Data(text.utf8))
    try file.keep()
  }

  #if os(Linux)
    /// A process that is killed while it writes leaves the folder unchanged.
    @Test func `a file that is being written has no name in its folder`() throws {
      try folder.write("before", to: "old")
      let (new, old) = (try PendingFile(folder["new"]), try PendingFile(folder["old"]))
      try new.write(Data("half of it".utf8))
      try old.write(Data("half of it".utf8))
      #expect(folder.names == ["old"])
      try old.keep()
      try new.keep()
      #expect(folder.names == ["new", "old"])
      #expect(try folder.text("old") == "half of it")
    }
  #endif

  @Test func `a file gets its name only when it is complete`() throws {
    let file = try PendingFile(folder["new"])
    try file.write(Data("all of ".utf8))
    #expect(!FileManager.default.fileExists(atPath: folder["new"]))
    try file.write(Data("it".utf8))
    try file.keep()
    #expect(try folder.text("new") == "all of it" && folder.names == ["new"])
    #expect(mode("new") & 0o600 == 0o600)
  }

  @Test func `discarding a new file keeps the old one and leaves no temporary file`() throws {
    try folder.write("old", to: "file")
    for discards in [true, false] {
      let file = try PendingFile(folder["file"])
      try file.write(Data("new".utf8))
      if discards { file.discard() }
    }
    #expect(try folder.text("file") == "old" && folder.names == ["file"])
  }

  @Test func `a new file has the process's default permissions`() throws {
    close(open(folder["usual"], O_CREAT | O_WRONLY, 0o666))
    try write("new", to: folder["file"])
    #expect(mode("file") == mode("usual"))
  }

  @Test(arguments: [0o600, 0o640, 0o755] as [mode_t])
  func `replacing a file keeps the file's permissions`(mode: mode_t) throws {
    try folder.write("old", to: "file")
    chmod(folder["file"], mode)
    try write("new", to: folder["file"])
    #expect(try folder.text("file") == "new" && self.mode("file") & 0o7777 == mode)
  }

  @Test func `writing through a symbolic link changes the link's target and keeps the link`() throws {
    try folder.write("old", to: "file")
    try FileManager.default.createSymbolicLink(atPath: folder["second"], withDestinationPath: "file")
    try FileManager.default.createSymbolicLink(atPath: folder["first"], withDestinationPath: folder["second"])
    try FileManager.default.createSymbolicLink(atPath: folder["dangling"], withDestinationPath: "made")
    try write("new", to: folder["first"])
    try write("made", to: folder["dangling"])
    #expect(try folder.text("file") == "new" && folder.text("made") == "made")
    #expect(folder.names == ["dangling", "file", "first", "made", "second"])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder["first"]) == folder["second"])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder["dangling"]) == "made")
  }

  @Test func `a chain of 39 symbolic links can be written through`() throws {
    try folder.write("old", to: "0")
    for number in 1...39 {
      try FileManager.default.createSymbolicLink(atPath: folder["\(number)"], withDestinationPath: "\(number - 1)")
    }
    try write("new", to: folder["39"])
    #expect(try folder.text("0") == "new")
  }

  @Test func `a symbolic link that leads to itself is an error`() throws {
    try FileManager.default.createSymbolicLink(atPath: folder["loop"], withDestinationPath: "loop")
    #expect(throws: FileError(folder["loop"], "is a link that leads in a circle")) { try PendingFile(folder["loop"]) }
  }

  @Test func `writing to a FIFO sends the bytes through the FIFO`() throws {
    #expect(mkfifo(folder["fifo"], 0o600) == 0)
    let reader = open(folder["fifo"], O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    try write("through", to: folder["fifo"])
    var buffer = [UInt8](repeating: 0, count: 32)
    let count = read(reader, &buffer, buffer.count)
    #expect(String(decoding: buffer[..<max(0, count)], as: UTF8.self) == "through")
    #expect(mode("fifo") & S_IFMT == S_IFIFO && folder.names == ["fifo"])
  }

  @Test func `writing to an open file descriptor appends at the descriptor's position`() throws {
    try folder.write("first line\n", to: "log")
    let descriptor = open(folder["log"], O_WRONLY | O_APPEND)
    defer { close(descriptor) }
    try write("second line\n", to: "/dev/fd/\(descriptor)")
    #expect(try folder.text("log") == "first line\nsecond line\n" && folder.names == ["log"])
    #expect(PendingFile.descriptor(named: "/dev/stdout") == 1 && PendingFile.descriptor(named: "/dev/null") == nil)
  }

  #if os(Linux)
    /// Creates a device in the folder; without the right to do so, a link to the system's device.
    private func makeDevice(_ name: String, minor: UInt) throws {
      if mknod(folder[name], S_IFCHR | 0o666, 1 << 8 | dev_t(minor)) == 0 { return }
      try FileManager.default.createSymbolicLink(atPath: folder[name], withDestinationPath: "/dev/\(name)")
    }

    @Test func `writing to a device keeps the device`() throws {
      try makeDevice("null", minor: 3)
      try write("nothing", to: folder["null"])
      #expect(mode("null") & S_IFMT == S_IFCHR && folder.names == ["null"])
    }

    @Test func `a full device is an error with the system's message`() throws {
      try makeDevice("full", minor: 7)
      let file = try PendingFile(folder["full"])
      #expect(throws: FileError(folder["full"], "cannot be written: No space left on device")) {
        try file.write(Data("x".utf8))
      }
      #expect(mode("full") & S_IFMT == S_IFCHR)
    }
  #endif

  @Test func `a folder and a file in a missing folder cannot be written`() throws {
    #expect(throws: FileError(folder.path, "is a folder; name a file in it")) { try PendingFile(folder.path) }
    let path = folder["missing/file"]
    #expect(
      throws: FileError(
        path, "cannot be written in the folder \"\(folder["missing"])\": No such file or directory")
    ) { try PendingFile(path) }
  }
}

import Foundation
import LinkSimulator
import Testing

@testable import NetworkConditions

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite struct BodySpoolTests {
  /// Bytes whose value depends on their place, with a period that no piece size divides.
  static let bytes = Data((0..<3_333_333).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 7) })

  @Test(arguments: [0, 1, 15, 64 << 10, (64 << 10) + 1, 1 << 20, (1 << 20) + 1, 3_333_333])
  func `what goes in comes out, in order and to the byte`(size: Int) throws {
    let whole = Self.bytes.prefix(size)
    for (piece, limit) in [(1_448, 16_384), (16_384, 1_000), (70_001, 99_991), (1 << 20, 1 << 30)] {
      let spool = BodySpool(memoryLimit: 256 << 10)
      var start = 0
      while start < size {
        let end = min(start + piece, size)
        try spool.append(whole[start..<end])
        start = end
      }
      #expect(spool.count == Int64(size))
      var result = Data()
      while !spool.isEmpty {
        let part = try spool.read(upTo: limit)
        #expect(!part.isEmpty && part.count <= limit)
        result.append(part)
      }
      #expect(result == whole, "pieces of \(piece), reads of \(limit)")
      #expect(try spool.read(upTo: 1).isEmpty)
    }
  }

  @Test(arguments: 0..<20)
  func `reads between the writes keep the order across memory and disk`(round: UInt64) throws {
    let random = KeyedRandom(seed: round)
    let whole = Self.bytes.prefix(1_500_000)
    let spool = BodySpool(memoryLimit: 100_000)
    var result = Data()
    var start = 0
    var step: UInt64 = 0
    while start < whole.count || !spool.isEmpty {
      step += 1
      let size = 1 + Int(random.keyed(by: step).keyed(by: 1).bits % 60_000)
      if random.keyed(by: step).keyed(by: 2).bits % 2 == 0, start < whole.count {
        let end = min(start + size, whole.count)
        try spool.append(whole[start..<end])
        start = end
      } else {
        result.append(try spool.read(upTo: size))
      }
      #expect(spool.bytesInMemory <= 100_000)
      #expect(spool.count == Int64(start - result.count))
    }
    #expect(result == whole)
  }

  @Test func `a piece in memory comes out without a copy`() throws {
    let spool = BodySpool()
    let piece = Data(repeating: 7, count: 500_000)
    try spool.append(piece)
    let address = piece.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
    let first = try spool.read(upTo: 100_000)
    let second = try spool.read(upTo: 1 << 20)
    #expect(first.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } == address)
    #expect(second.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } == address + 100_000)
    #expect(second.count == 400_000)
  }

  @Test func `small pieces are joined into large ones`() throws {
    let spool = BodySpool()
    for _ in 0..<64 { try spool.append(Data(repeating: 1, count: 16 << 10)) }
    #expect(try spool.read(upTo: 1 << 30).count == 1 << 20)
  }

  @Test func `memory is used again once the reader has caught up`() throws {
    let spool = BodySpool(memoryLimit: 1_000)
    for _ in 0..<3 { try spool.append(Data(repeating: 1, count: 900)) }
    #expect(spool.bytesInMemory == 900)
    while !spool.isEmpty { _ = try spool.read(upTo: 10_000) }
    try spool.append(Data(repeating: 2, count: 900))
    #expect(spool.bytesInMemory == 900)
    #expect(try spool.read(upTo: 10_000) == Data(repeating: 2, count: 900))
  }

  @Test func `the file has no name while it is used`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("spool-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let spool = BodySpool(memoryLimit: 10, directory: folder)
    try spool.append(Data(repeating: 1, count: 10))
    try spool.append(Data(repeating: 2, count: 100_000))
    #expect(spool.bytesInMemory == 10)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    #expect(
      try spool.read(upTo: 10) + spool.read(upTo: 5) == Data(repeating: 1, count: 10) + Data(repeating: 2, count: 5))
    spool.removeAll()
    #expect(spool.isEmpty)
  }

  @Test func `no folder for the file is a clear error and what came before can be read`() throws {
    let spool = BodySpool(memoryLimit: 10, directory: URL(fileURLWithPath: "/nonexistent/folder"))
    try spool.append(Data(repeating: 1, count: 10))
    let error = #expect(throws: URLError.self) { try spool.append(Data([2])) }
    #expect(error?.code == .cannotCreateFile)
    #expect(error?.localizedDescription.contains("/nonexistent/folder") == true)
    #expect(try spool.read(upTo: 100) == Data(repeating: 1, count: 10))
  }

  #if os(Linux)
    @Test func `a full disk is a clear error`() throws {
      // /dev/full answers every write with ENOSPC, as a full disk does.
      let spool = BodySpool(memoryLimit: 10, file: try SpoolFile(openingForTests: "/dev/full"))
      try spool.append(Data(repeating: 1, count: 10))
      let error = #expect(throws: URLError.self) { try spool.append(Data([2])) }
      #expect(error?.code == .cannotWriteToFile)
      let beneath = error?.userInfo[NSUnderlyingErrorKey] as? NSError
      #expect(beneath?.domain == NSPOSIXErrorDomain && beneath?.code == Int(ENOSPC))
      #expect(spool.count == 10)
    }

    @Test func `no descriptor stays open`() throws {
      // Other tests open files too: the link to a deleted file of ours is what must be gone.
      func spools() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
          let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
          return target?.contains("descriptor-test") == true
        }.count
      }
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("descriptor-test-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      do {
        let spool = BodySpool(memoryLimit: 0, directory: folder)
        try spool.append(Data([1]))
        try spool.append(Data([2]))
        #expect(try spools() == 1)
        withExtendedLifetime(spool) {}
      }
      #expect(try spools() == 0)
    }
  #endif
}

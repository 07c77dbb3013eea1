import ClientCapture
import Foundation
import Testing

@testable import NetworkConditions

struct StorageMediumTests {
  @Test func `after a power loss each file has its synchronised bytes, and nothing more can be lost`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("medium-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("file").path
    _ = FileManager.default.createFile(atPath: path, contents: Data("old".utf8))
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    let number = try #require(attributes[.systemFileNumber] as? NSNumber).uint64Value
    var medium = StorageMedium()
    medium.keepsContents = true
    medium.note(.written(file: number, isSynchronised: true), below: folder.path)
    #expect(medium.unsynchronised.isEmpty)
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.write(contentsOf: Data("newer".utf8))
    try file.close()
    medium.note(.written(file: number, isSynchronised: false), below: folder.path)
    #expect(medium.unsynchronised == [number])
    medium.losePower(below: folder.path)
    #expect(FileManager.default.contents(atPath: path) == Data("old".utf8) && medium.unsynchronised.isEmpty)
  }
}

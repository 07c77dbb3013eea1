import ExampleClients
package import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// Downloads a region's maps: reads their list, gets each file, resumes after a cut and verifies checksums.
///
/// Its mistake: a file with a wrong checksum stays in the folder of unfinished files. The next attempt finds it
/// complete and accepts it.
package struct MapDownload: Sendable {
  private let base: URL
  private let configuration: URLSessionConfiguration
  private let folder: UnfinishedFiles
  private let installed: [String: MapFile]
  private let pause: @Sendable (Duration) async throws -> Void
  private let attempts = 4

  /// - Parameter installed: the installed maps by name.
  package init(
    base: URL, configuration: URLSessionConfiguration, folder: UnfinishedFiles, installed: [String: MapFile] = [:],
    clock: any Clock<Duration>
  ) {
    (self.base, self.configuration, self.folder, self.installed) = (base, configuration, folder, installed)
    pause = { try await clock.sleep(for: $0) }
  }

  /// Updates the maps of a region.
  ///
  /// - Throws: ``MapError``, or the network's error after the last attempt at a file.
  package func update(_ region: String) async throws -> MapUpdate {
    let receiver = PartReceiver()
    let session = URLSession(configuration: configuration, delegate: receiver, delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    let list = try await list(region, receiver, session)
    var update = try plan(list)
    // Small files first: they are usable while the large ones load.
    for file in list.files.sorted(by: { ($0.length, $0.name) < ($1.length, $1.name) }) {
      if update.kept.contains(file.name) { continue }
      update.fresh[file.name] = try await download(file, receiver, session)
    }
    return update
  }

  /// The maps that are unchanged, and those that the server no longer offers.
  private func plan(_ list: MapList) throws -> MapUpdate {
    let names = list.files.map(\.name)
    guard Set(names).count == names.count, names.allSatisfy(Self.isPlain) else { throw MapError.unreadable }
    let size = list.files.reduce(0) { $0 + max(0, $1.length) }
    guard size <= Self.most, list.files.allSatisfy({ $0.length > 0 }) else { throw MapError.tooLong("region") }
    var update = MapUpdate()
    update.kept = Set(list.files.filter { installed[$0.name] == $0 }.map(\.name))
    update.gone = Set(installed.keys).subtracting(names)
    return update
  }

  /// Whether a name is a plain file name without a folder.
  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
  }

  /// The largest size of a region, in bytes.
  private static let most = 1 << 30

  // MARK: The list

  private func list(_ region: String, _ receiver: PartReceiver, _ session: URLSession) async throws -> MapList {
    let request = URLRequest(url: base.appendingPathComponent("regions/\(region)"), timeoutInterval: 20)
    var failures = 0
    while true {
      let answer = await receiver.part(for: request, in: session)
      if answer.error == nil, answer.status == 200 {
        guard let list = try? JSONDecoder().decode(MapList.self, from: answer.body) else { throw MapError.unreadable }
        return list
      }
      failures += 1
      try await wait(after: failures, answer)
    }
  }

  // MARK: One file

  private func download(_ file: MapFile, _ receiver: PartReceiver, _ session: URLSession) async throws -> Data {
    var failures = 0
    while true {
      let known = folder[file.name]
      // The file was complete before the app was closed.
      if known.count == file.length { return folder.take(file.name) }
      var request = URLRequest(url: base.appendingPathComponent("maps/\(file.name)"), timeoutInterval: 20)
      if !known.isEmpty {
        request.setValue("bytes=\(known.count)-", forHTTPHeaderField: "Range")
        request.setValue("\"\(file.checksum)\"", forHTTPHeaderField: "If-Range")
      }
      let answer = await receiver.part(for: request, in: session)
      switch answer.status {
      case 200: folder[file.name] = answer.body
      case 206:
        guard answer.start == known.count else { throw MapError.wrongRange }
        folder[file.name] = known + answer.body
      case 416:
        // The local file is longer than the server's.
        folder.remove(file.name)
      default: break
      }
      if answer.error == nil, answer.status == 200 || answer.status == 206 {
        let data = folder[file.name]
        guard data.count <= file.length else {
          folder.remove(file.name)
          throw MapError.tooLong(file.name)
        }
        if data.count == file.length, Adler.sum(of: data) == file.checksum { return folder.take(file.name) }
      }
      failures += 1
      try await wait(after: failures, answer)
    }
  }

  private func wait(after failures: Int, _ answer: Part) async throws {
    try Task.checkCancellation()
    if let status = answer.status {
      switch status {
      case 200, 206, 408, 416, 429, 500...: break
      default: throw MapError.refused(status)
      }
    }
    guard failures < attempts else { throw answer.error ?? MapError.damaged }
    try await pause(answer.retryAfter ?? .milliseconds(500 * failures))
  }
}

/// The changes in a region.
package struct MapUpdate: Hashable, Sendable {
  /// The downloaded maps.
  package var fresh: [String: Data] = [:]
  /// The names of the unchanged maps.
  package var kept: Set<String> = []
  /// The names of the maps to remove.
  package var gone: Set<String> = []
}

/// The files of a region.
package struct MapList: Codable, Hashable, Sendable {
  package let files: [MapFile]

  package init(files: [MapFile]) {
    self.files = files
  }
}

/// A file with the length and checksum that verify it.
package struct MapFile: Codable, Hashable, Sendable {
  package let name: String
  package let length: Int
  package let checksum: UInt32

  private enum CodingKeys: String, CodingKey {
    case name, length, checksum = "sum"
  }

  package init(name: String, data: Data) {
    (self.name, length, checksum) = (name, data.count, Adler.sum(of: data))
  }
}

/// Why a download failed.
package enum MapError: Error, Hashable, Sendable {
  /// The server responded with another status.
  case refused(Int)
  /// The list of files could not be decoded.
  case unreadable
  /// The server sent another range than requested.
  case wrongRange
  /// The server sent more bytes than the file has.
  case tooLong(String)
  /// The checksum was wrong in every attempt.
  case damaged
}

/// Adler-32 (RFC 1950, section 8.2).
package enum Adler {
  package static func sum(of data: Data) -> UInt32 {
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in data {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return high << 16 | low
  }
}

/// The partly downloaded files.
package final class UnfinishedFiles: Sendable {
  private let files = Mutex<[String: Data]>([:])

  package init() {}

  subscript(name: String) -> Data {
    get { files.withLock { $0[name] ?? Data() } }
    set { files.withLock { $0[name] = newValue } }
  }

  func remove(_ name: String) { files.withLock { $0[name] = nil } }

  /// Moves a finished file out of the folder.
  func take(_ name: String) -> Data { files.withLock { $0.removeValue(forKey: name) ?? Data() } }
}

extension Part {
  fileprivate var status: Int? { response?.statusCode }

  /// The first byte of a part: `bytes FIRST-LAST/LENGTH` (RFC 9110, section 14.4).
  fileprivate var start: Int? {
    guard let range = response?.value(forHTTPHeaderField: "Content-Range"), range.hasPrefix("bytes ") else {
      return nil
    }
    return Int(range.dropFirst(6).prefix { $0 != "-" })
  }

  fileprivate var retryAfter: Duration? {
    response?.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }.map { .seconds(min($0, 30)) }
  }
}

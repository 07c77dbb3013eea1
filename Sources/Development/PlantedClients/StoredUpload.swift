package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// Uploads a file in parts and keeps its offset in another file.
///
/// Its mistake, unless it saves the offset atomically: the offset file is emptied before it is written. An app that
/// ends in between restarts at 0, which the server refuses.
package final class StoredUpload {
  private let file: URL
  private let base: URL
  private let session: URLSession
  /// Whether the offset file is replaced atomically.
  private let savesInOneStep: Bool

  package init(folder: URL, base: URL, session: URLSession, savesInOneStep: Bool) {
    file = folder.appendingPathComponent("offset")
    (self.base, self.session, self.savesInOneStep) = (base, session, savesInOneStep)
  }

  /// Sends the remaining parts.
  ///
  /// - Throws: the network's error, or ``StoredClientError``.
  package func send(_ data: Data, inPartsOf length: Int) async throws {
    while offset < data.count {
      let end = min(offset + length, data.count)
      var request = URLRequest(url: base.appendingPathComponent("upload"))
      (request.httpMethod, request.httpBody) = ("PATCH", data[offset..<end])
      request.setValue("\(offset)", forHTTPHeaderField: "Upload-Offset")
      let (_, response) = try await session.data(for: request)
      try StoredClientError.check(response)
      try Data("\(end)".utf8).write(to: file, options: savesInOneStep ? .atomic : [])
    }
  }

  private var offset: Int { (try? String(contentsOf: file, encoding: .utf8)).flatMap { Int($0) } ?? 0 }
}

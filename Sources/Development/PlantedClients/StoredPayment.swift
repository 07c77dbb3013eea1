package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// Pays an order under a key by which the server recognises a repeated payment.
///
/// Its mistake, unless it writes the key first: an app that ends before the response arrives pays again under another
/// key.
package final class StoredPayment {
  private let file: URL
  private let base: URL
  private let session: URLSession
  /// Whether the key is written to its file before the request.
  private let writesKeyFirst: Bool
  /// Whether the written key is synchronised to the disk.
  private let synchronises: Bool

  package init(folder: URL, base: URL, session: URLSession, writesKeyFirst: Bool, synchronises: Bool = true) {
    file = folder.appendingPathComponent("payment.key")
    (self.base, self.session, self.writesKeyFirst) = (base, session, writesKeyFirst)
    self.synchronises = synchronises
  }

  /// - Throws: the network's error, or ``StoredClientError``.
  package func pay() async throws {
    let key = (try? String(contentsOf: file, encoding: .utf8)) ?? UUID().uuidString
    if writesKeyFirst { try write(key) }
    var request = URLRequest(url: base.appendingPathComponent("pay"))
    (request.httpMethod, request.httpBody) = ("POST", Data("42.00".utf8))
    request.setValue(key, forHTTPHeaderField: "Idempotency-Key")
    let (_, response) = try await session.data(for: request)
    try StoredClientError.check(response)
    if !writesKeyFirst { try write(key) }
  }

  private func write(_ key: String) throws {
    // The file contains the whole key or does not exist.
    let temporary = file.appendingPathExtension("new")
    _ = FileManager.default.createFile(atPath: temporary.path, contents: nil)
    let handle = try FileHandle(forWritingTo: temporary)
    try handle.write(contentsOf: Data(key.utf8))
    if synchronises { try handle.synchronize() }
    try handle.close()
    guard rename(temporary.path, file.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
  }
}

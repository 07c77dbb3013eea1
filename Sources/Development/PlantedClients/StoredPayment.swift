package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// Pays an order under a key, by which the server knows a payment again that it has had before.
///
/// Its mistake, unless it writes the key before it pays: an app that ends before the answer has come pays once more, under
/// another key.
package final class StoredPayment {
  private let file: URL
  private let base: URL
  private let session: URLSession
  /// Whether the key is in its file before the request is made.
  private let writesKeyFirst: Bool

  package init(folder: URL, base: URL, session: URLSession, writesKeyFirst: Bool) {
    file = folder.appendingPathComponent("payment.key")
    (self.base, self.session, self.writesKeyFirst) = (base, session, writesKeyFirst)
  }

  /// Pays.
  ///
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

  private func write(_ key: String) throws { try Data(key.utf8).write(to: file, options: .atomic) }
}

package import ExampleClients
package import NetworkConditions
import URLLoading

/// A user downloads a file: the app gets the right bytes or reports a network failure.
package func downloadFile(_ network: SimulatedNetwork, _ variant: Variant = .fixed) async throws {
  FileServer.answer(on: network)
  let downloader = Downloader(
    configuration: network.sessionConfiguration, clock: network.clock, partLength: 6_000, variant: variant)
  do {
    let data = try await downloader.download(ExampleServer.base.appendingPathComponent("file"))
    if data != FileServer.file { throw ExampleFailure("\(data.count) bytes, which are not the file") }
  } catch is URLError {
    // The app reports a failure, which is correct.
  }
}

/// Serves a file of 12,000 bytes, or the requested range of it.
private enum FileServer {
  static let file = GeneratedBody.bytes(in: 0..<12_000)
  private static let checksum = Checksum.of(file)

  static func answer(on network: SimulatedNetwork) {
    network.stub(.head, "https://api.example.com/file", with: .data(file).header("X-Checksum-CRC32", checksum))
    network.stub(
      .get, "https://api.example.com/file",
      with: .handler { (request: URLRequest) -> StubResponse in
        guard let range = range(request.value(forHTTPHeaderField: "Range")) else { return .data(file) }
        return .data(file[range]).status(206)
          .header("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.count)")
      })
  }

  /// Reads `bytes=FIRST-LAST` (RFC 9110, section 14.1.2).
  private static func range(_ text: String?) -> Range<Int>? {
    let bounds = text?.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) } ?? []
    guard bounds.count == 2, bounds[0] >= 0, bounds[0] <= bounds[1], bounds[1] < file.count else { return nil }
    return bounds[0]..<bounds[1] + 1
  }
}

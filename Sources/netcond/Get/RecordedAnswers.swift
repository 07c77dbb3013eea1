import Foundation
import Internals
import NetworkConditions
import TrafficRecording

struct RecordedAnswers {
  let transport: RecordedTransport
  /// The URL to fetch when none is given: the URL of the archive's first GET over http or https.
  private let firstURL: URL?
  private let name: String

  init(contentsOf path: String) throws {
    name = Input.name(path)
    do {
      let archive = try Input.read(
        path, atMost: Input.largestStream, file: HTTPArchive.init(contentsOf:), stream: HTTPArchive.init(json:file:))
      transport = try RecordedTransport(archive)
      firstURL =
        archive.entries.lazy.filter { $0.request.method.uppercased() == "GET" }
        .compactMap { URL(written: $0.request.url) }.first { ["http", "https"].contains($0.scheme?.lowercased()) }
    } catch {
      throw Failure(error).naming("--from")
    }
  }

  /// Returns the recording's first URL, for a command line without a URL, and tells the user so.
  func url(on console: Console) throws -> URL {
    guard let firstURL else {
      throw UsageError("--from: \(name) has no GET over http or https; name the URL to fetch")
    }
    let shown = Redaction.standard.url(firstURL.absoluteString)
    console.error("fetching \(shown.printable), the first GET of \(name.printable)\n")
    return firstURL
  }

  func showNotes(on console: Console) {
    for note in transport.notes { console.error("\(note.description.printable)\n") }
  }
}

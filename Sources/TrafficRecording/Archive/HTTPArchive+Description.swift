import Internals
import LinkSimulator
import NetworkConditions

extension HTTPArchive: CustomStringConvertible {
  /// The program that made the archive, then one line for each exchange, without secrets; of many, only the first.
  public var description: String {
    let head = "archive of \(creator.name) \(creator.version), \(FigureText.count(entries.count, "exchange"))"
    return "\(head)\n" + Excerpt.of(entries.lazy.map { "  \($0)" }, "exchange")
  }
}

extension HTTPArchive.Entry: CustomStringConvertible {
  /// The exchange in one line, such as `GET https://example.com/: 200, 1.2 kB in 80 ms`.
  public var description: String {
    let failure = response.error.map(Redaction.standard.text) ?? "no response"
    let answer = response.status > 0 ? "\(response.status)" : failure
    let size = response.content.size >= 0 ? ", \(FigureText.bytes(Double(response.content.size)))" : ""
    return "\(request.method) \(Redaction.standard.url(request.url)): \(answer)\(size) in "
      + FigureText.time(nanoseconds: time.wholeNanoseconds)
  }
}

extension RecordedTransport: CustomStringConvertible {
  /// One line for each request that the recording answers; of many, only the first.
  public var description: String { Excerpt.of(requests, "request") }
}

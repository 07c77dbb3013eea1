import NetworkConditions
import URLLoading

/// An archive prepared for replay: its answers by the keys of their requests, so that each takes one look-up.
final class Recording: Sendable {
  struct Group {
    var answers: [RecordedAnswer] = []
  }

  struct Line: Hashable {
    let method: String
    let url: String
  }

  private struct Recorded: Hashable {
    let key: RequestKey
    let headers: HeaderKey
  }

  let name: String
  let folder: BodyFolder
  let matching: RequestMatching
  let notes: [RecordedTransport.Note]
  let groups: [Group]
  let lines: [Line]
  private let index: [RequestKey: [Int]]
  /// Finds entries of requests that have redacted parts; `nil` if the archive has none.
  private let redacted: RedactedRequests?

  init(_ archive: HTTPArchive, matching: RequestMatching) throws(ProfileError) {
    name = archive.source.name
    self.matching = matching
    folder = BodyFolder(folder: archive.folder, archive: archive.source.name)
    var notes: [RecordedTransport.Note] = []
    var groups: [Group] = []
    var index: [RequestKey: [Int]] = [:]
    var known: [Recorded: Int] = [:]
    var lines: [Line] = []
    var listed: Set<Line> = []
    var bodies: [Data?] = []
    var masked: [Set<String>?] = []
    for (number, entry) in archive.entries.enumerated() {
      let body = entry.request.body
      bodies.append(matching.matchesBody ? try RecordedBody.data(body, in: folder, at: "log.entries[\(number)]") : nil)
      masked.append(RedactedRequests.maskedNames(entry.request.url, bodies[number], body?.mimeType))
    }
    let names = masked.compactMap(\.self)
    let redacted =
      names.isEmpty ? nil : RedactedRequests(names: names.reduce(into: []) { $0.formUnion($1) }, matching: matching)
    for number in Self.order(of: archive.entries) {
      let entry = archive.entries[number]
      let path = "log.entries[\(number)]"
      var texts: [String] = []
      let answer = try RecordedAnswer(entry, headerNames: matching.headers, in: folder, at: path, notes: &texts)
      let url = URLText(entry.request.url)
      let body = bodies[number]
      // Even if bodies do not matter for matching, no path may leave the folder.
      if body == nil, let file = entry.request.body?.file {
        _ = try folder.find(file, at: "\(path).request.postData._file")
      }
      let request = entry.request
      let key =
        if let redacted, masked[number] != nil {
          redacted.key(request.method, request.url, body, request.body?.mimeType)
        } else {
          RequestKey(method: request.method, url: url, body: body, matching: matching)
        }
      if let group = known[Recorded(key: key, headers: answer.headers)] {
        groups[group].answers.append(answer)
      } else {
        known[Recorded(key: key, headers: answer.headers)] = groups.count
        index[key, default: []].append(groups.count)
        groups.append(Group(answers: [answer]))
      }
      let line = Line(method: key.method, url: url.shown)
      if listed.insert(line).inserted { lines.append(line) }
      notes += texts.map {
        RecordedTransport.Note(entry: number, request: "\(line.method) \(Redaction.standard.url(line.url))", text: $0)
      }
    }
    self.redacted = redacted
    self.notes = notes.sorted { $0.entry < $1.entry }
    self.groups = groups
    self.index = index
    self.lines = lines
  }

  /// Returns the entries by date; in the archive's order if an entry has no date.
  private static func order(of entries: [HTTPArchive.Entry]) -> [Int] {
    let dates = entries.compactMap(\.started)
    guard dates.count == entries.count else { return Array(entries.indices) }
    return entries.indices.sorted { (dates[$0], $0) < (dates[$1], $1) }
  }

  func group(for request: TransportRequest) -> Int? {
    let method = (request.request.httpMethod ?? "GET").uppercased()
    let body = matching.matchesBody ? try? request.body.load() : nil
    let url = URLText(request.request.url?.absoluteString ?? "")
    let key = RequestKey(method: method, url: url, body: body, matching: matching)
    let groups =
      groups(of: key) ?? redacted.flatMap { redacted in
        let type = request.request.value(forHTTPHeaderField: "Content-Type")
        return self.groups(of: redacted.key(method, request.request.url?.absoluteString ?? "", body, type))
      } ?? []
    let headers = HeaderKey(request.request, names: matching.headers)
    return groups.first { self.groups[$0].answers[0].headers.matches(headers) }
  }

  /// Finds the groups for a key; a HEAD that was not recorded gets the groups of the GET.
  private func groups(of key: RequestKey) -> [Int]? {
    index[key] ?? (key.method == "HEAD" ? index[key.with(method: "GET")] : nil)
  }
}

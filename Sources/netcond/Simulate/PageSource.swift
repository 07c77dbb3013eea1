import Foundation
import Internals
import LinkSimulator
import NetworkConditions
import TrafficRecording

struct PageSource {
  let name: String
  /// The workload; a measuring setup adds no delay unless the file names one.
  let workload: WorkloadScenario
  var notes: [String] = []

  private static let kind = DocumentKind("a workload's file", usually: "a few kilobytes", atMostMebibytes: 16)

  init(contentsOf path: String, over profile: NetworkProfile, limit: Duration) throws {
    let reader = try Input.read(path, file: Self.kind.value(contentsOf:), stream: Self.kind.value(json:file:))
    let item = try WorkloadCase(page: reader, named: Input.name(path), over: profile, limit: limit)
    (name, workload) = (item.name, item.workload)
  }

  /// Reads an HTTP archive; of several pages, only the first.
  init(archive path: String, over profile: NetworkProfile, limit: Duration) throws {
    let archive: HTTPArchive
    do {
      archive = try Input.read(
        path, atMost: Input.largestStream, file: HTTPArchive.init(contentsOf:), stream: HTTPArchive.init(json:file:))
    } catch {
      throw Failure(error).naming("--har")
    }
    let page = ArchivedPage(archive)
    guard !page.requests.isEmpty else {
      let reason =
        page.unanswered > 0
        ? "no response from the network. Record the page with an empty cache."
        : "no request whose URL starts with http:// or https://. Record the page again."
      throw Failure(sentence: "--har: \(Input.name(path)) has \(reason)", explanation: .wrongValue)
    }
    guard page.requests.count <= WorkloadCase.mostRequests else {
      throw Failure(
        sentence: "--har: \(Input.name(path)) has \(page.requests.count) requests. A workload has up to "
          + "\(WorkloadCase.mostRequests); record one page.", explanation: .wrongValue)
    }
    name = Input.name(path)
    var workload = WorkloadScenario(
      page.client, page.requests, over: profile.noisier(by: WorkloadCase.noise).schedule)
    workload.configuration = profile.configuration
    workload.limit = limit
    self.workload = workload
    notes = page.notes
  }

  /// The workload in the format of workload files.
  var json: JSON {
    [
      "name": .string(name), "protocol": .string(workload.client.rawValue),
      "connections_per_host": .integer(workload.configuration.connectionsPerHost),
      "workload": .array(workload.requests.map(json)),
    ]
  }

  private func json(_ request: WorkloadScenario.Request) -> JSON {
    var members: [(String, JSON)] = [
      ("id", .string(request.id)), ("host", .string(request.host)), ("path", .string(request.path)),
      ("method", .string(request.method.rawValue.uppercased())), ("request_bytes", .integer(request.requestBytes)),
      ("response_bytes", .integer(request.responseBytes)),
    ]
    if !request.after.isEmpty {
      members.append(("after", .array(request.after.map { .string(workload.requests[$0].id) })))
    }
    if request.wait > .zero { members.append(("wait_ms", .real(request.wait / .milliseconds(1)))) }
    if request.start > .zero { members.append(("at_ms", .real(request.start / .milliseconds(1)))) }
    if request.closes { members.append(("close", .bool(true))) }
    if request.expects { members.append(("expect", .bool(true))) }
    return .members(members)
  }
}

import NetworkConditions
import URLLoading

/// A server at full speed behind 10 Mbit/s: neither memory nor disk may hold the body.
enum ServerAhead {
  static func run() async throws {
    try await Child.withServer { server in
      let result = try Child.collect(["ahead", server])
      guard result.count == 3 else { return }
      report("delivered in 10 s", "\(result[0]) MB", goal: "about 12")
      report("peak memory", "\(result[1]) MB", goal: "at most 120")
      report("cancelled in", "\(result[2]) ms", goal: "at most 200")
    }
  }

  static func receive(from server: String) async throws {
    guard let url = URL(string: "\(server)bytes/512000000") else { return }
    let profile = NetworkProfile(
      name: "10 Mbit/s", down: .init(rate: .megabitsPerSecond(10), delay: .milliseconds(10)),
      up: .init(rate: .megabitsPerSecond(10), delay: .milliseconds(10)))
    let network = SimulatedNetwork(profile, transport: URLSessionTransport())
    let delegate = CountingDelegate()
    let session = URLSession(configuration: network.sessionConfiguration, delegate: delegate, delegateQueue: nil)
    let task = session.dataTask(with: url)
    task.resume()
    try await Task.sleep(for: .seconds(10))
    let received = network.timeline.transfers.first?.bytesReceived ?? 0
    let start = seconds()
    task.cancel()
    _ = try? await delegate.end()
    print((Double(received) / 1e6).fixed(1), peakMegabytes().fixed(1), ((seconds() - start) * 1_000).fixed(0))
  }
}

/// Bodies too large to be held in memory.
enum LargeBodies {
  static func run() throws {
    let uploads = try Child.collect(["large-uploads"])
    report("4 files of 500 MB uploaded and recorded, peak", "\(uploads.joined()) MB", goal: "no file in memory")
    let answer = try Child.collect(["large-answer"])
    report("an answer of 1 GB made and read, peak", "\(answer.joined()) MB", goal: "nothing on disk")
  }

  static func upload() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("large-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: 500_000_000)
    let network = SimulatedNetwork("unlimited", pace: .immediate)
    let route = network.stub(.put, with: .status(201))
    guard let url = URL(string: "http://a.example/file") else { return }
    var request = URLRequest(url: url)
    request.httpMethod = "PUT"
    for _ in 0..<4 { _ = try await network.upload(for: request, fromFile: file) }
    guard route.requests.count == 4 else { throw CocoaError(.fileReadCorruptFile) }
    print(peakMegabytes().fixed(0))
  }

  static func download() async throws {
    let network = SimulatedNetwork("unlimited", pace: .immediate)
    network.stub("*", with: .bytes(count: 1_000_000_000))
    guard let url = URL(string: "http://a.example/file") else { return }
    var count = 0
    for try await piece in try await network.bytes(from: url).0.chunks { count += piece.count }
    guard count == 1_000_000_000 else { throw CocoaError(.fileReadCorruptFile) }
    print(peakMegabytes().fixed(0))
  }
}

package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// Uploads a photo in parts, two at a time; starts a new upload if the server has forgotten the first.
///
/// Its mistake: a new upload does not repeat the parts sent in the first one. The server completes the photo with the
/// parts it has.
package actor PhotoUpload {
  private let base: URL
  private let session: URLSession
  private let policy: UploadPolicy
  private let pause: @Sendable (Duration) async throws -> Void
  private var upload: Upload?
  private var beginning: Beginning?
  private var uploadCount = 0
  package private(set) var progress = UploadProgress()

  private struct Upload: Decodable {
    let id: String
  }

  /// The callers that wait for an upload to be started.
  private struct Beginning {
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  package init(
    base: URL, session: URLSession, clock: any Clock<Duration>, policy: UploadPolicy = UploadPolicy()
  ) {
    (self.base, self.session, self.policy) = (base, session, policy)
    pause = { try await clock.sleep(for: $0) }
  }

  /// Uploads a photo.
  ///
  /// - Returns: the server's name for the photo.
  /// - Throws: ``UploadError``, or the network's error after the last attempt at a request.
  package func send(_ photo: Data, named name: String) async throws -> String {
    upload = nil
    let parts = Self.parts(of: photo, length: policy.partLength)
    progress = UploadProgress(total: parts.count)
    guard !parts.isEmpty, parts.count <= policy.mostParts else { throw UploadError.wrongSize(photo.count) }
    _ = try await current(name, after: nil)
    do {
      try await send(parts, of: name)
      return try await complete(name, parts: parts.count)
    } catch {
      await abandon()
      throw error
    }
  }

  private func send(_ parts: [Part], of name: String) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      var next = 0
      func add() {
        guard next < parts.count else { return }
        let part = parts[next]
        group.addTask { try await self.send(part, of: name) }
        next += 1
      }
      for _ in 0..<policy.width { add() }
      while try await group.next() != nil { add() }
    }
  }

  /// Deletes the upload on the server; if the request fails, the server expires the upload.
  private func abandon() async {
    guard let upload else { return }
    self.upload = nil
    progress.isAbandoned = true
    var request = URLRequest(url: base.appendingPathComponent("uploads/\(upload.id)"), timeoutInterval: policy.timeout)
    request.httpMethod = "DELETE"
    _ = try? await session.data(for: request)
  }

  // MARK: Parts

  /// A part, numbered from 1.
  private struct Part: Sendable {
    let number: Int
    let data: Data
  }

  private static func parts(of photo: Data, length: Int) -> [Part] {
    stride(from: 0, to: photo.count, by: length).enumerated().map { number, start in
      let end = min(start + length, photo.count)
      return Part(number: number + 1, data: photo[photo.startIndex + start..<photo.startIndex + end])
    }
  }

  private func send(_ part: Part, of name: String) async throws {
    var known = try await current(name, after: nil)
    for renewal in 0...policy.renewals {
      var request = URLRequest(
        url: base.appendingPathComponent("uploads/\(known)/\(part.number)"), timeoutInterval: policy.timeout)
      request.httpMethod = "PUT"
      request.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
      request.setValue("\(Self.sum(of: part.data))", forHTTPHeaderField: "X-Part-Sum")
      request.httpBody = part.data
      let (_, status) = try await answered(request)
      switch status {
      case 200..<300:
        progress.sent += 1
        return
      case 404 where renewal < policy.renewals, 410 where renewal < policy.renewals:
        known = try await current(name, after: known)
      default: throw UploadError.refused(status)
      }
    }
  }

  private static func sum(of data: Data) -> Int {
    data.reduce(0) { ($0 * 31 + Int($1)) % 65_521 }
  }

  // MARK: Uploads

  /// The current upload; starts one if there is none or the server has forgotten it.
  private func current(_ name: String, after forgotten: String?) async throws -> String {
    while true {
      if let upload, upload.id != forgotten { return upload.id }
      guard beginning != nil else { break }
      await withCheckedContinuation { beginning?.waiters.append($0) }
      try Task.checkCancellation()
    }
    beginning = Beginning()
    defer {
      let waiters = beginning?.waiters ?? []
      beginning = nil
      for waiter in waiters { waiter.resume() }
    }
    let begun = try await begin(name)
    upload = begun
    progress.uploads += 1
    return begun.id
  }

  private func begin(_ name: String) async throws -> Upload {
    uploadCount += 1
    var request = URLRequest(url: base.appendingPathComponent("uploads"), timeoutInterval: policy.timeout)
    request.httpMethod = "POST"
    request.setValue("\(name)-\(uploadCount)", forHTTPHeaderField: "Idempotency-Key")
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = try JSONEncoder().encode(["name": name])
    let (data, status) = try await answered(request)
    guard status == 201 else { throw UploadError.refused(status) }
    guard let upload = try? JSONDecoder().decode(Upload.self, from: data), !upload.id.isEmpty,
      upload.id.allSatisfy({ $0.isLetter || $0.isNumber })
    else { throw UploadError.unreadable }
    return upload
  }

  private struct Photo: Decodable {
    let photo: String
  }

  private func complete(_ name: String, parts: Int) async throws -> String {
    guard let upload else { throw UploadError.unreadable }
    var request = URLRequest(
      url: base.appendingPathComponent("uploads/\(upload.id)/complete"), timeoutInterval: policy.timeout)
    request.httpMethod = "POST"
    request.setValue("\(name)-complete-\(upload.id)", forHTTPHeaderField: "Idempotency-Key")
    let (data, status) = try await answered(request)
    guard status == 200 || status == 201 else { throw UploadError.refused(status) }
    guard let photo = try? JSONDecoder().decode(Photo.self, from: data) else { throw UploadError.unreadable }
    progress.isComplete = progress.sent == parts
    return photo.photo
  }

  // MARK: Attempts

  /// Sends a request until the response is not a temporary failure.
  private func answered(_ request: URLRequest) async throws -> (Data, Int) {
    var failures = 0
    while true {
      do {
        let (data, response) = try await session.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard policy.isTemporary(status) else { return (data, status) }
        failures += 1
        guard failures < policy.attempts else { return (data, status) }
      } catch let error as URLError where error.code != .cancelled && !Task.isCancelled {
        failures += 1
        guard failures < policy.attempts else { throw error }
      }
      progress.retries += 1
      try await pause(policy.pause(after: failures))
    }
  }
}

/// The part length, the concurrency and the number of attempts.
package struct UploadPolicy: Sendable {
  var partLength = 24
  /// The number of parts in flight at once.
  var width = 2
  var mostParts = 10_000
  var attempts = 3
  /// How often an upload may be restarted.
  var renewals = 1
  var timeout: TimeInterval = 15

  package init() {}

  func pause(after failures: Int) -> Duration { min(.milliseconds(400) * (1 << failures), .seconds(5)) }

  func isTemporary(_ status: Int) -> Bool { status == 408 || status == 429 || status >= 500 }
}

/// The state of the progress bar.
package struct UploadProgress: Hashable, Sendable {
  package var total = 0
  package var sent = 0
  package var uploads = 0
  package var retries = 0
  package var isComplete = false
  package var isAbandoned = false

  package var fraction: Double { total == 0 ? 0 : min(1, Double(sent) / Double(total)) }

  /// The text beside the progress bar.
  package var words: String {
    if isComplete { return "Done." }
    if isAbandoned { return "Given up." }
    let again = retries == 0 ? "" : ", \(retries) sent again"
    return "\(sent) of \(total) parts\(again)"
  }
}

/// Why an upload failed.
package enum UploadError: Error, Hashable, Sendable {
  /// The server responded with another status.
  case refused(Int)
  /// A response could not be decoded.
  case unreadable
  /// The photo is empty, or too large.
  case wrongSize(Int)

  /// The text shown to the user.
  package var words: String {
    switch self {
    case .refused(401), .refused(403): "You may not upload photos here."
    case .refused(413): "The photo is too large."
    case .refused(let status): "The server has refused the photo (\(status))."
    case .unreadable: "The server has answered something else."
    case .wrongSize(0): "The photo is empty."
    case .wrongSize(let count): "The photo has \(count) bytes, which is too much."
    }
  }
}

package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// A chat room: shows the user's messages at once and polls for those of others.
///
/// Its mistake: it removes a message that could not be sent, although an attempt may have reached the room. When the
/// room sends it back, the client skips it as already shown. Two faults show it: a lost response and a second attempt
/// that fails.
package actor ChatRoom {
  /// Sends a request and returns the body and status of the response.
  package typealias Send = @Sendable (URLRequest) async throws -> (Data, Int)

  private let base: URL
  private let author: String
  private let send: Send
  private let policy: ChatPolicy
  private let pause: @Sendable (Duration) async throws -> Void
  private var cursor = 0
  private var messageCount = 0
  private var readUpTo = 0
  /// The messages on the screen, in their order.
  package private(set) var shown: [ChatMessage] = []
  /// The texts shown to the user.
  package private(set) var notices: [String] = []

  package init(
    base: URL, author: String, clock: any Clock<Duration>, policy: ChatPolicy = ChatPolicy(), send: @escaping Send
  ) {
    (self.base, self.author, self.policy, self.send) = (base, author, policy, send)
    pause = { try await clock.sleep(for: $0) }
  }

  // MARK: Writing

  /// Shows a message and sends it.
  package func write(_ text: String) async {
    messageCount += 1
    let message = ChatMessage(number: nil, tag: "\(author)-\(messageCount)", author: author, text: text)
    shown.append(message)
    do {
      let number = try await post(message)
      confirm(message.tag, number: number)
    } catch {
      shown.removeAll { $0.tag == message.tag }
      notices.append("Not sent: \(text)")
    }
  }

  private struct Posted: Decodable {
    let number: Int
  }

  private func post(_ message: ChatMessage) async throws -> Int {
    var request = try makeRequest("messages", query: [:], timeout: policy.timeout)
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    // The room recognises a repeated message by its tag.
    request.httpBody = try JSONEncoder.sorted.encode(message)
    for attempt in 1...policy.attempts {
      do {
        let (data, status) = try await send(request)
        try check(status)
        return try decode(Posted.self, data).number
      } catch  where attempt < policy.attempts && policy.isWorthAnotherTry(error) {
        try await pause(policy.pause(after: attempt))
      }
    }
    throw ChatError.busy(0)
  }

  private func confirm(_ tag: String, number: Int) {
    guard let place = shown.firstIndex(where: { $0.tag == tag }) else { return }
    shown[place].number = number
    sort()
  }

  /// Unconfirmed messages come last.
  private func sort() {
    let known = shown.filter { $0.number != nil }.sorted { ($0.number ?? 0) < ($1.number ?? 0) }
    shown = known + shown.filter { $0.number == nil }
  }

  /// Deletes a message for all readers.
  ///
  /// - Returns: whether the message is deleted.
  package func takeBack(_ tag: String) async -> Bool {
    guard let message = shown.first(where: { $0.tag == tag && $0.author == author }), let number = message.number else {
      return false
    }
    guard await succeeds("DELETE", "messages/\(number)", body: nil) else {
      notices.append("Not taken back: \(message.text)")
      return false
    }
    shown.removeAll { $0.tag == tag }
    return true
  }

  // MARK: Reading

  /// The number of unread messages from others.
  package var unread: Int {
    shown.count { $0.author != author && ($0.number ?? 0) > readUpTo }
  }

  /// Tells the room the last message read.
  package func markRead() async {
    guard let last = shown.compactMap(\.number).max(), last > readUpTo else { return }
    // A failure is harmless: the next call reports at least as much.
    if await succeeds("PUT", "readers/\(author)", body: ["read": last]) { readUpTo = last }
  }

  /// Sends an idempotent request and says whether it succeeded.
  private func succeeds(_ method: String, _ path: String, body: [String: Int]?) async -> Bool {
    for attempt in 1...policy.attempts {
      do {
        var request = try makeRequest(path, query: [:], timeout: policy.timeout)
        request.httpMethod = method
        if let body {
          request.setValue("application/json", forHTTPHeaderField: "Content-Type")
          request.httpBody = try JSONEncoder.sorted.encode(body)
        }
        let status = try await send(request).1
        // The message is already deleted.
        if method == "DELETE", status == 404 || status == 410 { return true }
        try check(status)
        return true
      } catch {
        guard attempt < policy.attempts, policy.isWorthAnotherTry(error) else { return false }
        guard (try? await pause(policy.pause(after: attempt))) != nil else { return false }
      }
    }
    return false
  }

  private struct Page: Decodable {
    let messages: [ChatMessage]
    let next: Int
  }

  /// Polls for new messages once and shows them.
  ///
  /// - Returns: whether the room responded.
  package func poll() async -> Bool {
    for attempt in 1...policy.attempts {
      do {
        let query = ["after": "\(cursor)", "wait": "\(Int(policy.patience))"]
        let request = try makeRequest("messages", query: query, timeout: policy.timeout + policy.patience)
        let (data, status) = try await send(request)
        switch status {
        case 204: return true
        case 404:
          // The room no longer knows the cursor.
          return try await readHistory()
        default: try check(status)
        }
        let page = try decode(Page.self, data)
        show(page.messages)
        cursor = max(cursor, page.next)
        return true
      } catch {
        guard attempt < policy.attempts, policy.isWorthAnotherTry(error) else { break }
        guard (try? await pause(policy.pause(after: attempt))) != nil else { break }
      }
    }
    notices.append("No connection to the room.")
    return false
  }

  /// Reads all pages from the beginning.
  private func readHistory() async throws -> Bool {
    var start = 0
    while true {
      let request = try makeRequest("history", query: ["after": "\(start)"], timeout: policy.timeout)
      let (data, status) = try await send(request)
      try check(status)
      let page = try decode(Page.self, data)
      show(page.messages)
      guard !page.messages.isEmpty, page.next > start else {
        cursor = max(cursor, page.next)
        return true
      }
      start = page.next
    }
  }

  private func show(_ messages: [ChatMessage]) {
    for message in messages {
      guard let number = message.number else { continue }
      if message.author == author {
        // The message is already shown; now its position is known.
        confirm(message.tag, number: number)
        messageCount = max(messageCount, Int(message.tag.dropFirst(author.count + 1)) ?? 0)
        continue
      }
      if shown.contains(where: { $0.number == number }) { continue }
      shown.append(message)
    }
    sort()
  }

  // MARK: Requests

  private func makeRequest(_ path: String, query: [String: String], timeout: TimeInterval) throws -> URLRequest {
    var components = URLComponents(url: base.appendingPathComponent(path), resolvingAgainstBaseURL: false)
    if !query.isEmpty {
      components?.queryItems = query.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) }
    }
    guard let url = components?.url else { throw ChatError.unreadable }
    return URLRequest(url: url, timeoutInterval: timeout)
  }

  private func check(_ status: Int) throws {
    switch status {
    case 200..<300: return
    case 408, 429, 500...: throw ChatError.busy(status)
    default: throw ChatError.refused(status)
    }
  }

  private func decode<Value: Decodable>(_ type: Value.Type, _ data: Data) throws -> Value {
    do { return try JSONDecoder().decode(type, from: data) } catch { throw ChatError.unreadable }
  }
}

/// The timeouts and the number of attempts.
package struct ChatPolicy: Sendable {
  var attempts = 2
  var timeout: TimeInterval = 8
  /// How long the room may wait for news before it responds, in seconds.
  var patience: TimeInterval = 4

  package init() {}

  func pause(after failures: Int) -> Duration { .milliseconds(500) * failures }

  func isWorthAnotherTry(_ error: any Error) -> Bool {
    if Task.isCancelled { return false }
    return switch error {
    case let error as URLError: error.code != .cancelled
    case ChatError.busy, ChatError.unreadable: true
    default: false
    }
  }
}

/// Why a request to the room failed.
package enum ChatError: Error, Hashable, Sendable {
  case busy(Int)
  case refused(Int)
  case unreadable
}

/// A message; the room assigns the number, the author the tag.
package struct ChatMessage: Codable, Hashable, Sendable {
  package var number: Int?
  package let tag: String
  package let author: String
  package let text: String

  package init(number: Int?, tag: String, author: String, text: String) {
    (self.number, self.tag, self.author, self.text) = (number, tag, author, text)
  }
}

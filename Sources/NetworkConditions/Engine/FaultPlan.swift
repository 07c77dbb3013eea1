import Foundation
import URLLoading

/// The faults of one request, as the profile's rules drew them or a schedule lists them.
struct FaultPlan: Sendable {
  /// The faults that the path applies from the request's start.
  var streamFaults: [StreamFault] = []
  var extraDelay: Duration = .zero
  /// The answer that the server gives instead of its own.
  private(set) var answer: OwnAnswer?
  /// Whether a cache answers instead of the server.
  private(set) var isStale = false
  /// Whether a cache may answer a later request to this URL with this request's response.
  var keepsResponse = false
  /// The response's faults; they get their places when the response begins.
  var ofResponse: [Entry] = []
  var corruptedByte: Int64?
  /// Whether a fault can shorten the response's body; known when the response begins.
  var mayShorten = false
  var bodyLength: Int64?
  var descriptions: [String] = []

  /// Adds a fault and returns it as it will happen; `nil` if it cannot happen, or if only the response decides its
  /// place.
  mutating func add(_ planned: Entry, to line: RequestLine, _ length: MessageLength) -> RequestFault? {
    guard planned.fault.value.canHappen(to: line) else { return nil }
    guard !planned.fault.value.isOfResponse else {
      ofResponse.append(planned)
      return nil
    }
    guard let fault = planned.placed(in: length), fault.decide(in: &self) else { return nil }
    streamFaults += fault.streamFaults
    descriptions.append(fault.words)
    return fault.requestFault
  }

  /// Replaces the server's answer, with a cache's answer if `nil`; returns `false` if an earlier fault has replaced it.
  mutating func answer(_ answer: OwnAnswer?) -> Bool {
    guard !isReplaced else { return false }
    (self.answer, isStale) = (answer, answer == nil)
    return true
  }

  var isReplaced: Bool { answer != nil || isStale }

  /// Decides at the response's start where its faults strike, and drops those that lie beyond its end.
  mutating func place(in response: MessageLength) {
    var placed: [Entry] = []
    for planned in ofResponse {
      guard let fault = planned.placed(in: response), fault.decide(in: &self) else { continue }
      placed.append(Entry(fault: fault.requestFault, chance: planned.chance, entry: planned.entry))
    }
    ofResponse = placed
  }
}

/// An answer that replaces the server's.
package struct OwnAnswer: Sendable {
  package let code: Int
  private let fields: [HeaderField]
  private let retryDate: Duration?
  package let body: Data

  init(code: Int, fields: [HeaderField], retryDate: Duration? = nil, body: Data = Data()) {
    (self.code, self.fields, self.retryDate, self.body) = (code, fields, retryDate, body)
  }

  /// The URL to which the answer redirects, if it does.
  var redirectTarget: String? { fields.first { $0.name == "Location" }?.value }

  /// The answer's header fields except `Content-Length`, when the server answers at this date.
  package func fields(at date: @autoclosure () -> Date) -> [HeaderField] {
    guard let retryDate else { return fields }
    return fields + [HeaderField("Retry-After", date().httpText(after: retryDate))]
  }

  /// The whole answer, as a server would send it at this date.
  func part(at date: @autoclosure () -> Date) -> AnswerPart {
    let length = HeaderField("Content-Length", "\(body.count)")
    return AnswerPart(
      head: ResponseHead(status: code, headers: [length] + fields(at: date())),
      body: body.isEmpty ? [] : [.init(body, nil)], end: .whole)
  }
}

extension FaultPlan {
  /// A fault whose place may still have to be drawn.
  struct Entry: Sendable {
    let fault: RequestFault
    /// The randomness that draws the place.
    let chance: KeyedRandom
    /// The fault's index in the schedule, if it comes from one.
    let entry: Int?

    fileprivate func placed(in message: MessageLength) -> (any Fault)? {
      fault.value.placed(in: message, by: chance)
    }
  }
}

import Foundation
import URLLoading

/// The faults of one request, once the profile's rules have been drawn for it.
struct FaultPlan: Sendable {
  /// The faults that the path applies from the request's beginning on.
  var streamFaults: [StreamFault] = []
  /// How much later the request sets out.
  var extraDelay: Duration = .zero
  /// The answer that the server gives instead of its own.
  private(set) var answer: OwnAnswer?
  /// The faults that strike the response at a place in it: placed, told and done when the response begins.
  var ofResponse: [PlannedFault] = []
  /// Which byte of the response's body is flipped.
  var corruptedByte: Int64?
  /// Whether the response's body can be made shorter; known when it begins.
  var mayShorten = false
  /// How long the response's body is instead of its own length.
  var bodyLength: Int64?
  /// The faults that were applied at the beginning, in words, for the timeline.
  var descriptions: [String] = []

  /// Adds one fault of a request of this length, and gives back what happens; nothing when it cannot happen to such a
  /// request, an earlier rule has decided the same, or it is left to the response.
  mutating func add(_ planned: PlannedFault, to line: RequestLine, _ length: MessageLength) -> RequestFault? {
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

  /// Has the server give an answer that is not its own; says no where an earlier fault has decided that.
  mutating func answer(_ answer: OwnAnswer) -> Bool {
    guard self.answer == nil else { return false }
    self.answer = answer
    return true
  }

  /// The response begins, with so many bytes to come: its faults get their places, and those go that have none.
  mutating func place(in response: MessageLength) {
    var placed: [PlannedFault] = []
    for planned in ofResponse {
      guard let fault = planned.placed(in: response), fault.decide(in: &self) else { continue }
      placed.append(PlannedFault(fault: fault.requestFault, chance: planned.chance, entry: planned.entry))
    }
    ofResponse = placed
  }
}

/// An answer in the place of the server's.
package struct OwnAnswer: Sendable {
  package let code: Int
  /// Its header, but for the length of its body.
  package let fields: [HeaderField]
  package var body = Data()

  /// The whole of it, as a server gives it.
  var part: AnswerPart {
    let length = HeaderField("Content-Length", "\(body.count)")
    return AnswerPart(
      head: ResponseHead(status: code, headers: [length] + fields), body: body.isEmpty ? [] : [.init(body, nil)],
      end: .whole)
  }
}

/// A fault at a place that may have to be drawn yet.
struct PlannedFault: Sendable {
  let fault: RequestFault
  /// The randomness that draws the place.
  let chance: KeyedRandom
  /// Which fault of a schedule it is, if it is one.
  let entry: Int?

  fileprivate func placed(in message: MessageLength) -> (any Fault)? {
    fault.value.placed(in: message, by: chance)
  }
}

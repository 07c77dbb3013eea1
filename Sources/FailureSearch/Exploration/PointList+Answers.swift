import LinkSimulator
import NetworkConditions

/// An answer, and the positions in it where a fault can occur, with their classes.
struct ListedAnswer {
  /// The distance in bytes between positions in a body of unknown content: one segment's payload.
  static let stride: Int64 = 1448

  let subject: ListedTransfer
  let head: Int64
  /// The known beginning of the body.
  let bytes: [UInt8]
  let places: [Int64]
  private let cuts: [TextPlace]

  init?(of subject: ListedTransfer) {
    guard let head = subject.contents.headBytes else { return nil }
    (self.subject, self.head, bytes) = (subject, head, [UInt8](subject.contents.body))
    let (known, end) = (head + Int64(bytes.count), head + subject.contents.bodyBytes)
    places = Self.places(known: known, end: end)
    cuts = TextPlace.cuts(bytes)
  }

  /// Every position up to `known`, then one in each segment.
  static func places(known: Int64, end: Int64) -> [Int64] {
    Array(0..<min(end, known + 1)) + Swift.stride(from: known + stride, to: end, by: Int64.Stride(stride))
  }

  var end: Int64 { head + subject.contents.bodyBytes }

  /// Whether an answer that breaks off at this position leaves the client without any of it.
  func isBefore(_ place: Int64) -> Bool { subject.contents.isTakenWhole || place < head }

  func lost(_ loss: PointClass.Loss, at place: Int64) -> PointClass.Effect {
    isBefore(place)
      ? .lostBeforeAnswer(loss, isRepeated: place == 0 && subject.transfer.reusedConnection) : .lostWithinBody(loss)
  }

  /// - Parameter shows: whether the client can see where the text of the body breaks off.
  func key(_ place: Int64, _ effect: PointClass.Effect, shows: Bool) -> PointClass.Key {
    let time = subject.arrival(of: place)
    let inBody = Int(clamping: place - head)
    let cut = shows && cuts.indices.contains(inBody) ? cuts[inBody] : .any
    // If the body ends at a block boundary, a reader of blocks may take it as complete unless it gets an error.
    let block = effect == .cutShort ? TextPlace(endOfBlocksAt: inBody) : nil
    return PointClass.Key(
      transfer: subject.turn, effect: effect, place: block ?? cut,
      slot: subject.slot(at: time), others: subject.others(before: time))
  }
}

extension PointList {
  mutating func listAnswer(_ subject: ListedTransfer) {
    guard let answer = ListedAnswer(of: subject) else { return }
    if answer.places.count < Int(clamping: answer.end) {
      omissions.insert(
        """
        of bodies beyond \(answer.bytes.count) bytes, or in a coding, all but every \(ListedAnswer.stride)th byte, and \
        all flipped ones
        """)
    }
    if has(.reset) { listResets(answer) }
    if has(.truncate) { listTruncations(answer) }
    if has(.stall) { listStalls(answer) }
    listShortened(answer)
    if has(.corrupt), !subject.isSecure { listFlips(answer) }
  }

  private mutating func add(
    _ template: ScheduledFault, _ kind: FaultKinds.Kind, to answer: ListedAnswer, at place: Int64,
    _ effect: PointClass.Effect, shows: Bool
  ) {
    add(
      template, kind, at: place, answer.subject.arrival(of: place), as: answer.key(place, effect, shows: shows))
  }

  private mutating func listResets(_ answer: ListedAnswer) {
    let template = answer.subject.fault(.reset(after: .zero))
    for place in answer.places {
      add(template, .reset, to: answer, at: place, answer.lost(.reset, at: place), shows: !answer.isBefore(place))
    }
  }

  private mutating func listTruncations(_ answer: ListedAnswer) {
    let template = answer.subject.fault(.truncate(after: .zero))
    for place in answer.places {
      let isCutShort = answer.subject.contents.endsWithConnection && place >= answer.head
      add(
        template, .truncate, to: answer, at: place, isCutShort ? .cutShort : answer.lost(.closed, at: place),
        shows: isCutShort || !answer.isBefore(place))
    }
  }

  private mutating func listStalls(_ answer: ListedAnswer) {
    let (subject, idleTimeout) = (answer.subject, answer.subject.contents.idleTimeout)
    for duration in [faultKinds.moment, answer.subject.patience, nil] {
      let isPause = duration.map { duration in idleTimeout.map { duration < $0 } ?? true } ?? false
      let limit = idleTimeout == nil ? duration : nil
      for place in answer.places {
        let isBefore = answer.isBefore(place)
        let effect: PointClass.Effect =
          if isPause {
            .pause(withinBody: place >= answer.head)
          } else {
            isBefore ? .timedOutBeforeAnswer(limit) : .timedOutWithinBody(limit)
          }
        add(
          subject.fault(.stall(after: .zero, duration: duration)), .stall, to: answer, at: place, effect,
          shows: !isBefore)
      }
    }
    // Before the answer and in its middle; `listEnd` covers the end.
    for place in [0, answer.head + answer.subject.contents.bodyBytes / 2] {
      for length in lengths(of: answer.subject) {
        add(
          subject.fault(.stall(after: .zero, duration: length)), .stall, to: answer, at: place,
          .pauseOf(length, withinBody: place >= answer.head), shows: false)
      }
    }
  }

  private mutating func listShortened(_ answer: ListedAnswer) {
    // An answer that is compressed, or whose length is unknown at its beginning, is not shortened.
    guard let body = answer.subject.transfer.bytesExpected, !answer.bytes.isEmpty else { return }
    for length in Set([0, body / 2, body - 1]).sorted() {
      add(
        .shorten(to: .bytes(length)), .shorten, to: answer.subject, at: answer.subject.arrival(of: answer.head))
    }
  }

  private mutating func listFlips(_ answer: ListedAnswer) {
    let subject = answer.subject
    for (place, mark) in TextPlace.flips(answer.bytes).enumerated() {
      add(
        subject.fault(.corrupt(at: .zero)), .corrupt, at: Int64(place),
        subject.arrival(of: answer.head + Int64(place)),
        as: PointClass.Key(transfer: subject.turn, effect: .corrupted, place: mark))
    }
  }
}

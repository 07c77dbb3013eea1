import FailureSearch
import NetworkConditions
import Testing

/// The attachments of a failure: its timeline, and two ways to repeat it.
struct FailureAttachments {
  let timeline: String
  let token: ReplayToken
  let schedule: FaultSchedule?

  func record(at location: SourceLocation) {
    Attachment.record(timeline, named: "timeline.txt", sourceLocation: location)
    Attachment.record("\(token)\n", named: "replay-token.txt", sourceLocation: location)
    if let schedule {
      Attachment.record(schedule.formatText, named: "fault-schedule.json", sourceLocation: location)
    }
  }
}

extension FailureAttachments {
  init(_ failure: FoundFailure) {
    self.init(timeline: failure.timelineText, token: failure.token, schedule: failure.schedule)
  }
}

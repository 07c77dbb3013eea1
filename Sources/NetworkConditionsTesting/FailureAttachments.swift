import FailureSearch
import NetworkConditions
import Testing
import TimelineReports

/// The attachments of a failure: its timeline as text and as a page, and two ways to repeat it.
struct FailureAttachments {
  let text: String
  /// The timeline; `nil` for a run that ended its process, whose events are lost.
  let timeline: Timeline?
  let token: ReplayToken
  let schedule: FaultSchedule?

  init(_ failure: FoundFailure) {
    (text, token, schedule) = (failure.timelineText, failure.token, failure.schedule)
    timeline = failure.hasTimeline ? failure.timeline : nil
  }

  init(_ run: SearchRun, _ token: ReplayToken) {
    (text, timeline, self.token, schedule) = (run.timelineText, run.timeline, token, run.schedule)
  }

  func record(for test: Test) {
    test.attach(text, named: "timeline.txt")
    if let timeline { test.attach(TimelinePage(timeline).text, named: "timeline.html") }
    test.attach("\(token)\n", named: "replay-token.txt")
    if let schedule { test.attach(schedule.formatText, named: "fault-schedule.json") }
  }
}

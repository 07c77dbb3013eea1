import LinkSimulator
import Testing

struct ResponsePriorityTests {
  @Test(arguments: [
    ("", 3, false), ("u=1, i", 1, true), ("i , u=5", 5, true), ("u=2\t,\ti=?0", 2, false), ("i;a=1, u=0;b", 0, true),
    ("u=8, i=1, x=2", 3, false),
  ])
  func `a Priority field is read with spaces around commas and with parameters`(
    field: String, urgency: Int, isIncremental: Bool
  ) {
    let priority = ResponsePriority(field: field)
    #expect(priority.urgency == urgency && priority.isIncremental == isIncremental)
  }
}

import Internals
import Testing

struct CivilDateTests {
  @Test(arguments: [
    (1970, 1, 1, 0), (1972, 2, 29, 789), (2000, 1, 31, 10_987), (2000, 2, 29, 11_016),
    (2000, 3, 1, 11_017), (2100, 2, 28, 47_540), (2100, 3, 1, 47_541), (1969, 12, 31, -1),
  ])
  func `a date becomes its number of days since 1970, with leap years counted, and a date again`(
    year: Int, month: Int, day: Int, days: Int
  ) {
    #expect(CivilDate.days(year, month, day) == days)
    #expect(CivilDate.date(days) == (year, month, day))
  }
}

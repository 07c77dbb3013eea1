package enum CivilDate {
  /// The number of days from 1970-01-01 to a date.
  ///
  /// It uses 400-year eras that begin on 1 March (Hinnant, "chrono-compatible low-level date algorithms", 2013).
  package static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

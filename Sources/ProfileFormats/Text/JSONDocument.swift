import NetworkConditions

extension FormatDocument {
  /// Reads the document as JSON; errors name line and column, and the way to a value.
  func readingJSON<Result>(
    _ what: String, atMostMebibytes limit: Int = 1, _ body: (FormatReader) throws(ProfileError) -> Result
  ) throws(ProfileError) -> Result {
    let kind = DocumentKind(what, usually: "a few kilobytes", atMostMebibytes: limit)
    let reader = try kind.value(json: data, file: file)
    do throws(ProfileError) {
      return try body(reader)
    } catch {
      guard case .value(let file, let path, let reason) = error, let place = JSONParser.place(of: path, in: data)
      else { throw error }
      throw .value(file: file, path: path, reason: "\(reason) (line \(place.line), column \(place.column))")
    }
  }
}

extension FormatReader {
  /// A number of this document, kept as it is written.
  func decimal(_ what: String) throws(ProfileError) -> DecimalNumber {
    guard case .number(let text) = value, let number = DecimalNumber(text) else {
      throw error("\(value.shown) is not \(what), a number")
    }
    return number
  }

  /// A number times a fraction, rounded to a whole one from 0 to `limit`.
  func count(
    _ what: String, times factor: UInt64, over divisor: UInt64 = 1, limit: Int64
  ) throws(ProfileError) -> Int64 {
    let number = try decimal(what)
    guard !number.isNegative || number.isZero else { throw error("\(value.shown) is negative; \(what) is not") }
    guard let count = number.count(times: factor, over: divisor, limit: limit) else {
      throw error("\(value.shown) is more than \(what) can be here")
    }
    return count
  }

  /// A time in milliseconds, as nanoseconds.
  func milliseconds(
    _ what: String, limit: Int64 = Duration.longest.wholeNanoseconds
  ) throws(ProfileError) -> Int64 {
    try count("\(what) in milliseconds", times: 1_000_000, limit: limit)
  }

  /// A share in per cent.
  func percent(_ what: String) throws(ProfileError) -> Probability {
    let number = try decimal(what)
    guard let share = Probability(number.double(timesTenTo: -2)) else {
      throw error("\(value.shown) is not \(what), a share in per cent from 0 to 100")
    }
    return share == .zero ? .zero : share
  }
}

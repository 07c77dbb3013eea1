import NetworkConditions

typealias JSON = JSONValue

extension JSON {
  /// Seconds, to the microsecond, or null.
  init(seconds duration: Duration?) {
    self = duration.map { .real(Double(Int64(($0 / .microseconds(1)).rounded())) / 1e6) } ?? .null
  }
}

extension Console {
  /// Prints the one object of `--json`.
  func out(_ json: JSON) {
    out(json.lineText + "\n")
  }
}

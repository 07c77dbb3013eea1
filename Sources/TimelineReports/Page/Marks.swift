import HTMLPages

/// Short upright lines at times.
enum Marks {
  /// One drawing for all of them; what would lie on one place is drawn once.
  static func path(
    _ role: String, _ times: some Sequence<Int64>, _ scale: TimeScale, from upper: Double, to lower: Double
  ) -> String {
    var path = ""
    var last = ""
    for time in times {
      let x = scale.x(time)
      if x != last { path += "M\(x) \(Markup.point(upper))v\(Markup.point(lower - upper))" }
      last = x
    }
    return path.isEmpty ? "" : "<path class=\"\(role)\" d=\"\(path)\"/>"
  }
}

import HTMLPages

/// A chart before it is put on a page or into a picture.
struct Chart {
  let title: String
  /// What marks and axes mean, in one sentence.
  let note: String
  let height: Double
  let body: [String]

  /// The chart as a figure of a page.
  var figure: String { Markup.figure(title, note, height: height, body) }
}

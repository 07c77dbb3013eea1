import Internals

// What printing a report shows: its first lines, and of a page its size.

extension TimelinePage: CustomStringConvertible {
  /// One line: the page's size; ``text`` is the page.
  public var description: String { "a page of \(FigureText.bytes(Double(text.utf8.count))), to be written to a file" }
}

extension TraceEventReport: CustomStringConvertible {
  /// One line: the trace's size; ``text`` is the trace.
  public var description: String { "a trace of \(FigureText.bytes(Double(text.utf8.count))), to be written to a file" }
}

extension TransferCSVReport: CustomStringConvertible {
  /// The first rows; ``text`` has all.
  public var description: String { Excerpt.of(text: text) }
}

extension EventCSVReport: CustomStringConvertible {
  /// The first rows; ``text`` has all.
  public var description: String { Excerpt.of(text: text) }
}

extension PacketCSVReport: CustomStringConvertible {
  /// The first rows; ``text`` has all.
  public var description: String { Excerpt.of(text: text) }
}

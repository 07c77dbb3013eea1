import Internals

extension TimelinePage: CustomStringConvertible {
  /// The page's size in one line; ``text`` is the page itself.
  public var description: String { "a page of \(FigureText.bytes(Double(text.utf8.count))), to be written to a file" }
}

extension TraceEventReport: CustomStringConvertible {
  /// The trace's size in one line; ``text`` is the trace itself.
  public var description: String { "a trace of \(FigureText.bytes(Double(text.utf8.count))), to be written to a file" }
}

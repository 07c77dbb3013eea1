import HTMLPages
import Internals

extension Axis {
  /// The lines and labels of a vertical axis, up to `right`.
  func grid(_ count: Int, to right: Double, _ label: (Double) -> String) -> [String] {
    ticks(count).flatMap { tick in
      [
        Markup.line(40, self(tick), right, self(tick), "grid"),
        Markup.text(36, self(tick) + 4, label(tick), "tick", anchor: "end"),
      ]
    }
  }

  /// The ticks and labels of a horizontal axis at the height `y`.
  func ruler(_ count: Int, at y: Double) -> [String] {
    ticks(count).flatMap { tick in
      [
        Markup.line(self(tick), y, self(tick), y + 4, "axis"),
        Markup.text(self(tick), y + 16, FigureText.digits(tick), "tick", anchor: "middle"),
      ]
    }
  }
}

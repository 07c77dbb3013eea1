/// Colours with names, each for a light page, which is also how it prints, and for a dark one.
package struct Palette {
  private let colours: [(name: String, light: String, dark: String)]

  /// Creates a palette; a rule of the style sheet takes the colour `name` as `var(--name)`.
  package init(_ colours: [(name: String, light: String, dark: String)]) {
    self.colours = colours
  }

  /// The rules that give the colours their values.
  package var sheet: String {
    let light = colours.map { "--\($0.name): \($0.light);" }.joined(separator: " ")
    let dark = colours.map { "--\($0.name): \($0.dark);" }.joined(separator: " ")
    return """
      :root { \(light) }
      @media (prefers-color-scheme: dark) { :root { \(dark) } }
      @media print { :root { \(light) } }
      """
  }
}

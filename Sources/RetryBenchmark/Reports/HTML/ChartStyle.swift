/// How the marks of this page's charts and tables look.
enum ChartStyle {
  static let sheet = """
    .leader { stroke: var(--rule); stroke-width: 1; }
    .bar { fill: var(--c); fill-opacity: .75; } .whisker { stroke: var(--c); stroke-width: 2; }
    .notch { stroke: var(--ink); stroke-width: 2; } .dot { fill: var(--c); stroke: var(--card); stroke-width: 1; }
    .noise { color: var(--soft); }
    """
}

/// How the marks of this page's charts and tables look.
enum ChartStyle {
  static let sheet = """
    .leader { stroke: var(--rule); stroke-width: 1; }
    .bar { fill: var(--c); fill-opacity: .75; } .whisker { stroke: var(--c); stroke-width: 2; }
    .notch { stroke: var(--ink); stroke-width: 2; } .dot { fill: var(--c); stroke: var(--card); stroke-width: 1; }
    .noise { color: var(--soft); } h3 { font-size: 1rem; margin: 24px 0 4px; }
    .findings { margin: 0 0 12px; padding-left: 1.2em; max-width: 60em; }
    .good { --c: var(--good); } .refused { --c: var(--s5); } .lost { --c: var(--bad); } .left { --c: var(--s0); }
    .outlined { background: none; border: 1px solid var(--ink); } .band { background: var(--band); } rect.good, rect.refused, rect.lost, rect.left { fill: var(--c); }
    .hedge { fill-opacity: .45; stroke: var(--c); stroke-width: 1; } .left { fill-opacity: .6; }
    .wait { stroke: var(--soft); stroke-width: 1; stroke-dasharray: 2 3; } .end { stroke: var(--ink); stroke-width: 2; }
    td small { display: block; color: var(--soft); } .trials .key { font-size: .85rem; margin-bottom: 10px; }
    """
}

/// The style sheet of pages: their colours by day, by night and on paper, their text, figures and tables.
package enum PageStyle {
  /// How many colours there are for series, as classes `s0`, `s1` and so on; more series share them.
  package static let colours = 8

  /// Colours that colour-blind people can tell apart (after Okabe and Ito): darker on white, lighter on black.
  private static let light = [
    "#6b7280", "#d55e00", "#0072b2", "#00845f", "#b5487f", "#8a6d00", "#3b8fc4", "#5b3fa0",
  ]
  private static let dark = [
    "#a3abb8", "#ff8a3d", "#4aa8e8", "#2fc796", "#ee8cbc", "#e0c04a", "#8fd0f5", "#b39cf0",
  ]

  private static func variables(_ colours: [String]) -> String {
    colours.enumerated().map { "--s\($0): \($1);" }.joined(separator: " ")
  }

  private static let roles = (0..<colours).map { ".s\($0) { --c: var(--s\($0)); }" }.joined(separator: "\n")

  private static let marks = """
    text { fill: var(--ink); } .tick, .value { fill: var(--soft); font-size: 11px; } .name { font-weight: 600; }
    .grid { stroke: var(--rule); stroke-width: 1; } .axis { stroke: var(--soft); stroke-width: 1; }
    .curve { fill: none; stroke: var(--c); stroke-width: 2; stroke-linejoin: round; }
    .area { fill: var(--area); stroke: none; } .outage { fill: var(--band); }
    """

  static let sheet = """
    :root { --paper: #fdfdfc; --ink: #1d2127; --soft: #5b6470; --rule: #d9dde2; --card: #ffffff; --good: #00694b; \
    --bad: #a63d00; --band: #f3d9cf; --area: #e4e8ed; \(variables(light)) }
    @media (prefers-color-scheme: dark) {
    :root { --paper: #14171b; --ink: #e8eaed; --soft: #a0a8b3; --rule: #343b44; --card: #1b1f25; --good: #4fd6a6; \
    --bad: #ff9d66; --band: #4a2c22; --area: #2b323b; \(variables(dark)) }
    }
    @media print {
    :root { --paper: #fff; --ink: #000; --soft: #444; --rule: #ccc; --card: #fff; --good: #00694b; --bad: #a63d00; \
    --band: #f3d9cf; --area: #e4e8ed; \(variables(light)) }
    }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
    main { max-width: 1240px; margin: 0 auto; padding: 28px 16px 40px; }
    h1 { font-size: clamp(1.35rem, 3.2vw, 2rem); line-height: 1.25; margin: 0 0 12px; max-width: 34em; text-wrap: balance; }
    h2 { font-size: 1.3rem; margin: 40px 0 6px; border-top: 1px solid var(--rule); padding-top: 20px; }
    .kind { margin: 0 0 4px; color: var(--soft); font-size: .9rem; }
    .what, .lead { margin: 0 0 12px; color: var(--soft); max-width: 60em; }
    .lead { color: var(--ink); } .partial { color: var(--bad); font-weight: 600; }
    .key { list-style: none; display: flex; flex-wrap: wrap; gap: 4px 18px; padding: 0; margin: 0; }
    .chip { display: inline-block; width: .7em; height: .7em; border-radius: 2px; margin-right: .45em; background: var(--c); }
    .charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(320px, 100%), 1fr)); gap: 16px; \
    align-items: start; }
    figure { margin: 0; padding: 12px 12px 8px; background: var(--card); border: 1px solid var(--rule); border-radius: 8px; }
    figcaption { font-size: .85rem; margin-bottom: 8px; } figcaption span { color: var(--soft); display: block; }
    svg { display: block; width: 100%; height: auto; overflow: visible; font: 12px system-ui, sans-serif; }
    \(marks)
    .scroll { overflow-x: auto; margin-top: 16px; }
    table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; width: 100%; }
    th, td { text-align: right; padding: 5px 9px; border-bottom: 1px solid var(--rule); white-space: nowrap; }
    th:first-child { text-align: left; position: sticky; left: 0; background: var(--paper); }
    thead th { color: var(--soft); font-weight: 500; vertical-align: bottom; white-space: normal; }
    .better { color: var(--good); } .worse { color: var(--bad); }
    footer { margin-top: 36px; border-top: 1px solid var(--rule); padding-top: 14px; color: var(--soft); font-size: .85rem; }
    pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--card); border: 1px solid var(--rule); \
    border-radius: 6px; padding: 10px; color: var(--ink); }
    \(roles)
    @media print {
    body { font-size: 10pt; } figure, tr, header { break-inside: avoid; } h2, h3 { break-after: avoid; }
    main { padding: 0; } .scroll { overflow: visible; } table { font-size: 7pt; } th, td { padding: 2px 3px; }
    * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
    }
    """

  /// The style sheet of a picture that stands alone: the colours and marks of charts, with a background.
  package static let picture = """
    :root { --paper: #ffffff; --ink: #1d2127; --soft: #5b6470; --rule: #d9dde2; --card: #ffffff; --band: #f3d9cf; \
    --area: #e4e8ed; \(variables(light)) }
    @media (prefers-color-scheme: dark) {
    :root { --paper: #14171b; --ink: #e8eaed; --soft: #a0a8b3; --rule: #343b44; --card: #1b1f25; --band: #4a2c22; \
    --area: #2b323b; \(variables(dark)) }
    }
    svg { font: 12px system-ui, sans-serif; overflow: visible; } .paper { fill: var(--paper); stroke: var(--rule); }
    \(marks)
    \(roles)
    """

  /// Returns the rules that define colours as `var(--name)`, for light pages and print and for dark pages.
  package static func palette(_ colours: [(name: String, light: String, dark: String)]) -> String {
    let light = colours.map { "--\($0.name): \($0.light);" }.joined(separator: " ")
    let dark = colours.map { "--\($0.name): \($0.dark);" }.joined(separator: " ")
    return """
      :root { \(light) }
      @media (prefers-color-scheme: dark) { :root { \(dark) } }
      @media print { :root { \(light) } }
      """
  }
}

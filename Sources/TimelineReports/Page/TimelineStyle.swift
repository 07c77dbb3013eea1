import HTMLPages

enum TimelineStyle {
  /// One colour for each phase of a transfer, distinguishable for colour-blind people (after Okabe and Ito).
  static let palette = PageStyle.palette([
    (name: "resolving", light: "#a07c00", dark: "#e0c04a"), (name: "connecting", light: "#d55e00", dark: "#ff8a3d"),
    (name: "securing", light: "#b5487f", dark: "#ee8cbc"), (name: "sending", light: "#00845f", dark: "#2fc796"),
    (name: "waiting", light: "#9aa3af", dark: "#6d7783"), (name: "receiving", light: "#0072b2", dark: "#4aa8e8"),
    (name: "out", light: "#f6ddd3", dark: "#3b2722"), (name: "stripe", light: "#f1f3f6", dark: "#22272e"),
    (name: "limit", light: "#5b6470", dark: "#c3cad3"), (name: "over", light: "#1d212712", dark: "#e8eaed14"),
  ])

  static let marks = """
    .arrived { fill: var(--receiving); fill-opacity: .45; stroke: var(--receiving); stroke-width: 1.2; }
    .limit { fill: none; stroke: var(--limit); stroke-width: 1.6; stroke-dasharray: 5 3; }
    .out { fill: var(--out); } .odd { fill: var(--stripe); }
    .r { fill: var(--resolving); } .c { fill: var(--connecting); } .s { fill: var(--securing); } .u { fill: var(--sending); }
    .w { fill: var(--waiting); } .a { fill: var(--receiving); } .v { fill: var(--receiving); fill-opacity: .38; }
    .k { stroke: var(--ink); stroke-width: 1; fill: none; } .g { stroke: var(--soft); stroke-width: 1; fill: none; }
    .z { stroke: var(--bad); stroke-width: 1.5; fill: none; } .x { stroke: var(--bad); stroke-width: 3; fill: none; }
    """

  static let sheet = """
    \(palette)
    \(marks)
    h1 { margin-bottom: 4px; }
    .facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(7.6em, 1fr)); gap: 10px 18px; margin: 16px 0 0; }
    .facts div { border-left: 2px solid var(--rule); padding-left: 10px; } .facts dt { color: var(--soft); font-size: .8rem; }
    .facts dd { margin: 0; font-weight: 600; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
    .facts dd small { font-weight: 400; color: var(--soft); font-size: .8rem; } .facts .worse dd { color: var(--bad); }
    .chart { --l: 21.5rem; --t: 4.6rem; position: relative; margin-top: 24px; padding: 14px 14px 10px; background: var(--card); \
    border: 1px solid var(--rule); border-radius: 8px; font-size: .8125rem; line-height: 1.35; }
    .legend { list-style: none; display: flex; flex-wrap: wrap; gap: 3px 16px; margin: 0 0 12px; padding: 0; \
    color: var(--soft); font-size: .78rem; }
    .side { position: absolute; width: calc(var(--l) - 6.5rem); display: block; margin: 1.7em 0 0; line-height: 1.75; }
    .legend svg { display: inline-block; width: 1.5em; height: .85em; margin-right: .45em; vertical-align: -.08em; }
    .plot { position: relative; margin: 0 var(--t) 0 var(--l); }
    .names { height: 1.5em; overflow: hidden; }
    .names span { position: absolute; top: 0; bottom: 0; container-type: inline-size; overflow: hidden; \
    border-left: 1px solid var(--rule); white-space: nowrap; font-size: .72rem; line-height: 1.9; color: var(--soft); }
    .names b { display: block; padding: 0 5px; font-weight: 500; overflow: hidden; text-overflow: ellipsis; } .names .out b { color: var(--bad); font-weight: 600; }
    @container (max-width: 3.4em) { .names b { display: none; } }
    .names .out { background: var(--out); } .names .odd { background: var(--stripe); }
    .strip { height: 118px; } .strip svg { position: absolute; inset: 0; width: 100%; height: 100%; overflow: hidden; }
    .strip .y { position: absolute; right: 100%; margin-right: 8px; transform: translateY(-50%); color: var(--soft); \
    font-size: .72rem; white-space: nowrap; font-variant-numeric: tabular-nums; }
    .chart path, .chart line, .chart rect { vector-effect: non-scaling-stroke; }
    .axis { position: sticky; top: 0; z-index: 2; height: 1.9em; background: var(--card); border-bottom: 1px solid var(--rule); }
    .axis span { position: absolute; top: .3em; transform: translateX(-50%); color: var(--soft); font-size: .74rem; \
    font-variant-numeric: tabular-nums; white-space: nowrap; }
    .axis span:first-child { transform: none; } .axis .last { transform: translateX(-100%); }
    .rows { position: relative; }
    .under { position: absolute; top: 0; bottom: 0; left: var(--l); width: calc(100% - var(--l) - var(--t)); height: 100%; }
    .t { position: relative; content-visibility: auto; contain-intrinsic-size: auto 1.75em; }
    .t summary { display: grid; grid-template-columns: var(--l) minmax(0, 1fr) var(--t); align-items: center; \
    min-height: 1.75em; cursor: pointer; list-style: none; border-radius: 4px; }
    .t summary::-webkit-details-marker { display: none; }
    .t summary:hover, .t[open] summary { background: var(--over); }
    .t summary svg { height: 1.3em; overflow: visible; }
    .l { display: grid; grid-template-columns: 2.7em 3em minmax(0, 1fr); column-gap: .55em; padding-right: 12px; \
    font-variant-numeric: tabular-nums; }
    .l > * { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; } .l i { font-style: normal; }
    .l > :first-child { text-align: right; color: var(--soft); }
    .l b { font-weight: 600; color: var(--good); } .bad .l b, .l em, .d em { color: var(--bad); font-style: normal; font-weight: 600; }
    .d { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
    .m { display: flex; flex-wrap: wrap; gap: 6px 44px; padding: 8px 14px 14px 6.9em; background: var(--card); \
    border-bottom: 1px solid var(--rule); } .m p { margin: 0; flex: 1 0 100%; overflow-wrap: anywhere; }
    .m table { font-size: .95em; width: auto; align-self: flex-start; } .m ol { flex: 1 1 19rem; }
    .m td, .m th { padding: 1px 18px 1px 0; border: 0; background: none; text-align: left; white-space: normal; \
    font-weight: 400; position: static; overflow-wrap: anywhere; } .m th, .n tr:first-child { color: var(--soft); }
    .n td { text-align: right; white-space: nowrap; }
    .m ol { margin: 0; padding: 0; list-style: none; font-size: .95em; columns: 17rem; column-gap: 2rem; }
    .m ol li { display: grid; grid-template-columns: 5em 1fr; column-gap: .8em; padding: 1px 0; break-inside: avoid; \
    font-variant-numeric: tabular-nums; } .m ol li > :first-child { text-align: right; color: var(--soft); white-space: nowrap; }
    .pk { --l: 4.6rem; --t: .5rem; flex: 1 0 100%; margin-top: 8px; } .pk .legend { margin-bottom: 6px; }
    .seq { height: 260px; } .win { height: 92px; margin-top: 12px; border-top: 1px solid var(--rule); } .ax { height: 1.7em; }
    .seq, .win { border-left: 1px solid var(--rule); border-bottom: 1px solid var(--rule); }
    .seq svg, .win svg { position: absolute; inset: 0; width: 100%; height: 100%; overflow: visible; }
    .pk .y { position: absolute; right: 100%; margin-right: 7px; transform: translateY(-50%); color: var(--soft); \
    font-size: .72rem; white-space: nowrap; font-variant-numeric: tabular-nums; }
    .ax span { position: absolute; top: .3em; transform: translateX(-50%); color: var(--soft); font-size: .74rem; \
    white-space: nowrap; font-variant-numeric: tabular-nums; } .ax .last { transform: translateX(-100%); }
    .ps { stroke: var(--receiving); stroke-width: 2; fill: none; } .pr { stroke: var(--bad); stroke-width: 3; fill: none; }
    .pl { stroke: var(--ink); stroke-width: 3; fill: none; } .pa { stroke: var(--sending); stroke-width: 1.4; fill: none; }
    .pf { fill: var(--receiving); fill-opacity: .25; stroke: none; } .pq { stroke: var(--connecting); stroke-width: 1.4; fill: none; }
    .pw { stroke: var(--ink); stroke-width: 1.4; fill: none; }
    .only { display: inline-flex; align-items: center; gap: .45em; position: relative; z-index: 3; margin: -1.7em 0 0; float: left; \
    color: var(--soft); font-size: .8rem; cursor: pointer; } .only + .rows { clear: both; padding-top: 4px; } .what + .only { margin: 0; }
    .chart:has(.only input:checked) .t:not(.bad) { display: none; }
    .cursor { position: absolute; top: 0; bottom: 0; width: 1px; background: var(--ink); opacity: .55; pointer-events: none; z-index: 3; }
    .cursor span { position: sticky; top: 2px; display: inline-block; transform: translateX(5px); padding: 0 5px; \
    border-radius: 3px; background: var(--ink); color: var(--paper); font-size: .72rem; white-space: nowrap; \
    font-variant-numeric: tabular-nums; }
    .cursor.left span { transform: translateX(calc(-100% - 5px)); }
    @media (max-width: 760px) {
    .chart { --l: 0px; --t: 0px; padding: 12px 10px 8px; margin-left: -8px; margin-right: -8px; }
    .facts { grid-template-columns: repeat(2, minmax(0, 1fr)); }
    .t summary { grid-template: "l d" auto "b b" auto / minmax(0, 1fr) auto; padding: 4px 0 3px; }
    .l { grid-template-columns: minmax(1.6em, max-content) 2.2em minmax(0, 1fr); padding: 0; } .l > :first-child { text-align: left; } .t summary svg { grid-area: b; } .t { contain-intrinsic-size: auto 3.2em; }
    .strip .y { right: auto; left: 4px; margin: 0; transform: translateY(5px); text-shadow: 0 0 3px var(--card), 0 0 3px var(--card), 0 0 3px var(--card); }
    .strip .zero, .axis .even, .ax .even { display: none; } .pk { --l: 3.6rem; } .side { position: static; width: auto; display: flex; margin: 0 0 12px; } .only { float: none; margin: 8px 0 4px; } .m { padding: 6px 6px 12px; }
    }
    @media print {
    @page { size: A4 landscape; margin: 11mm; }
    body { font-size: 9pt; } main { padding: 0; max-width: none; } .chart { --l: 17rem; font-size: 7.5pt; padding: 8px; }
    .t { content-visibility: visible; break-inside: avoid; } .axis { position: relative; } .only, .cursor { display: none; }
    }
    """
}

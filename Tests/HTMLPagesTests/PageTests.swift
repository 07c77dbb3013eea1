import Foundation
import HTMLPages
import Testing

struct PageTests {
  @Test func `escaping a text turns all HTML markup characters into entities`() {
    #expect(
      Markup.escaped(#"</script><img src='x' onerror="a&b">"#)
        == "&lt;/script&gt;&lt;img src=&#39;x&#39; onerror=&quot;a&amp;b&quot;&gt;")
  }

  @Test func `escaping a text replaces forbidden control characters by the replacement character`() {
    #expect(Markup.escaped("a\u{0}b\u{1B}c\td\n") == "a\u{FFFD}b\u{FFFD}c\td\n")
    let kept = (UInt32(0)...0x20).filter { Unicode.Scalar($0).map { Markup.escaped("\($0)") == "\($0)" } == true }
    #expect(kept == [0x9, 0xA, 0xD, 0x20])
  }

  @Test func `coordinates are rounded to one decimal, and a zero decimal is left out`() {
    #expect([0, 1, 1.04, 1.05, -2.25, -0.04, 100.96].map(Markup.point) == ["0", "1", "1", "1.1", "-2.3", "0", "101"])
  }

  @Test func `a box has no negative width or height`() {
    #expect(
      Markup.box(1, 2, -3, -4, "bar") == "<rect class=\"bar\" x=\"1\" y=\"2\" width=\"0\" height=\"0\" rx=\"0\"/>")
  }

  @Test func `a figure has its escaped title and note as caption and as label`() {
    let figure = Markup.figure(#"a "b""#, "c < d", height: 20, [])
    #expect(figure.contains("<b>a &quot;b&quot;</b> <span>c &lt; d</span>"))
    #expect(figure.contains(#"aria-label="a &quot;b&quot;: c &lt; d">"#))
  }

  @Test func `a page's style sheet defines its colours for light mode, dark mode and print`() {
    let sheet = PageStyle.palette([
      (name: "sky", light: "#abc", dark: "#123"), (name: "sea", light: "#def", dark: "#456"),
    ])
    #expect(
      sheet == """
        :root { --sky: #abc; --sea: #def; }
        @media (prefers-color-scheme: dark) { :root { --sky: #123; --sea: #456; } }
        @media print { :root { --sky: #abc; --sea: #def; } }
        """)
  }

  @Test func `a page's style sheet has the common rules before the page's own rules`() throws {
    let page = Page.text(title: "A < B", style: ".own { color: red; }", body: "<p>text</p>")
    #expect(page.hasPrefix("<!doctype html>\n<html lang=\"en\">\n"))
    #expect(page.contains("<title>A &lt; B</title>"))
    #expect(page.contains("<main>\n<p>text</p>\n</main>"))
    let own = try #require(page.range(of: ".own {"))
    let common = try #require(page.range(of: "figcaption {"))
    #expect(common.lowerBound < own.lowerBound)
    #expect(!page.contains("http"))
  }
}

import Foundation
import HTMLPages
import Testing

struct PageTests {
  @Test func `every character of a text is shown and none is markup`() {
    #expect(
      Markup.escaped(#"</script><img src='x' onerror="a&b">"#)
        == "&lt;/script&gt;&lt;img src=&#39;x&#39; onerror=&quot;a&amp;b&quot;&gt;")
  }

  @Test func `characters that no document may contain are shown as a sign`() {
    #expect(Markup.escaped("a\u{0}b\u{1B}c\td\n") == "a\u{FFFD}b\u{FFFD}c\td\n")
  }

  @Test func `coordinates have one decimal where they need it`() {
    #expect([0, 1, 1.04, 1.05, -2.25, 100.96].map(Markup.point) == ["0", "1", "1", "1.1", "-2.3", "101"])
  }

  @Test func `a page's own colours hold by day, by night and on paper`() {
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

  @Test func `a page has the common rules before its own`() throws {
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

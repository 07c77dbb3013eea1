/// A page that needs nothing else: no script, no font and no picture from elsewhere.
package struct Page {
  private let title: String
  private let style: String
  private let body: String

  /// - Parameters:
  ///   - title: what the browser's tab says, as plain text.
  ///   - style: the page's own rules, after those that all pages have.
  ///   - body: the markup between `<main>` and its end.
  package init(title: String, style: String, body: String) {
    self.title = title
    self.style = style
    self.body = body
  }

  /// The page; equal parts are equal pages.
  package var text: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(Markup.escaped(title))</title>
    <style>
    \(PageStyle.sheet)
    \(style)
    </style>
    </head>
    <body>
    <main>
    \(body)
    </main>
    </body>
    </html>

    """
  }
}

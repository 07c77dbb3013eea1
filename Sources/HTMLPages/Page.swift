/// A page that needs nothing else: no script, no font and no picture from elsewhere.
package enum Page {
  /// The page; equal parts are equal pages.
  ///
  /// - Parameters:
  ///   - title: the words on the browser's tab, as plain text.
  ///   - style: the page's own rules, after those that all pages have.
  ///   - body: the markup between `<main>` and its end.
  package static func text(title: String, style: String, body: String) -> String {
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

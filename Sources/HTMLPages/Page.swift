/// A page that needs nothing else: no script, no font and no picture from elsewhere.
package enum Page {
  /// The page; equal parts are equal pages; the style goes after the rules that all pages have, the body into `<main>`.
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

/// A self-contained HTML page: no script, font or picture is loaded from elsewhere.
package enum Page {
  /// Returns the page: `style` follows the common rules, `body` becomes `<main>`; equal arguments give equal pages.
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

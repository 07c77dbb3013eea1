/// Aligned columns for a terminal; in a narrow one the last column is shortened.
package struct Table {
  package struct Column {
    let title: String
    var isRight = false
    var role = Style.Role.plain

    package static func left(_ title: String, _ role: Style.Role = .plain) -> Column {
      Column(title: title, role: role)
    }

    package static func right(_ title: String, _ role: Style.Role = .plain) -> Column {
      Column(title: title, isRight: true, role: role)
    }
  }

  package struct Cell: ExpressibleByStringInterpolation {
    package let text: String
    package var role: Style.Role?

    package init(_ text: String, _ role: Style.Role? = nil) {
      self.text = text.printable
      self.role = role
    }

    package init(stringLiteral value: String) {
      self.init(value)
    }
  }

  package var columns: [Column]
  package var rows: [[Cell]]

  package init(columns: [Column], rows: [[Cell]] = []) {
    self.columns = columns
    self.rows = rows
  }

  /// Formats the table as lines; `widths` are column widths to share with other tables.
  package func lines(width: Int, style: Style, heading: Bool = true, widths: [Int]? = nil) -> [String] {
    let widths = fitted(widths ?? self.widths, to: width)
    var lines: [String] = []
    if heading { lines.append(line(columns.map { Cell($0.title, .faint) }, widths, style)) }
    return lines + rows.map { line($0, widths, style) }
  }

  package var widths: [Int] {
    columns.indices.map { index in
      max(columns[index].title.count, rows.map { index < $0.count ? $0[index].text.count : 0 }.max() ?? 0)
    }
  }

  private func fitted(_ widths: [Int], to width: Int) -> [Int] {
    guard let last = widths.last else { return widths }
    let others = widths.dropLast().reduce(0) { $0 + $1 + 2 }
    return widths.dropLast() + [min(last, max(8, width - others))]
  }

  private func line(_ cells: [Cell], _ widths: [Int], _ style: Style) -> String {
    var parts: [String] = []
    for (index, cell) in cells.enumerated() where index < columns.count {
      let isLast = index == columns.count - 1
      let text = cell.text.shortened(to: widths[index])
      let padded =
        isLast && !columns[index].isRight ? text : text.padded(to: widths[index], right: columns[index].isRight)
      parts.append(style(cell.role ?? columns[index].role, padded))
    }
    return parts.joined(separator: "  ").withoutTrailingSpaces
  }
}

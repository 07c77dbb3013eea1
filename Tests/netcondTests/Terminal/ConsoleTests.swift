import Foundation
import Internals
import Testing

@testable import netcond

struct ConsoleTests {
  /// Prints a bold line on a console whose output is a terminal and whose standard error is a file, or the reverse.
  private func printed(isTaken: Bool, outputIsStyled: Bool) -> (output: String, error: String) {
    let texts = Locked((output: Data(), error: Data()))
    let console = Console(
      sink: { (data, stream) throws(SystemError) in
        texts.withLock { stream == .output ? $0.output.append(data) : $0.error.append(data) }
      },
      style: Style(isOn: outputIsStyled), errorStyle: Style(isOn: !outputIsStyled), isLive: false, measure: { 80 })
    console.show(nil, isTaken: isTaken) { width, style in [style(.strong, "width \(width)"), "end"] }
    let (output, error) = texts.value
    return (String(decoding: output, as: UTF8.self), String(decoding: error, as: UTF8.self))
  }

  @Test(arguments: [true, false])
  func `lines have the style of the stream to which they are printed`(outputIsStyled: Bool) {
    func lines(_ isStyled: Bool) -> String { Style(isOn: isStyled)(.strong, "width 80") + "\nend\n" }
    #expect(printed(isTaken: false, outputIsStyled: outputIsStyled) == (lines(outputIsStyled), ""))
    #expect(printed(isTaken: true, outputIsStyled: outputIsStyled) == ("", lines(!outputIsStyled)))
    #expect(lines(true) != lines(false))
  }
}

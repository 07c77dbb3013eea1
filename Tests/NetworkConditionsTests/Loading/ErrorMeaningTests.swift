import Testing

@testable import NetworkConditions
import URLLoading

struct ErrorMeaningTests {
  enum Wrapping: Error {
    case network(any Error)
    case status(Int, HTTPURLResponse?)
    case fields([String: Int])
    case plain
  }
  struct Short: Error, CustomStringConvertible {
    let count: Int
    var description: String { "only \(count) bytes" }
  }
  struct Explained: Error, CustomStringConvertible {
    let reason: any Error
    var description: String { "it failed: \(reason)" }
  }
  final class Circle: Error, @unchecked Sendable {
    nonisolated(unsafe) var next: (any Error)?
  }

  @Test func `an error that names a URL keeps it`() {
    let (first, second) = (url("http://a.example/"), url("http://b.example/"))
    let error = URLError(.timedOut).naming(first).naming(second)
    #expect(error.userInfo[NSURLErrorFailingURLErrorKey] as? URL == first && error.naming(nil) == error)
  }

  /// An error with so many user info entries that two equal errors print differently.
  private static func timeout() -> URLError {
    var info: [String: Any] = [NSUnderlyingErrorKey: NSError(domain: NSPOSIXErrorDomain, code: 110)]
    for number in 0..<20 { info["key \(number)"] = number }
    return URLError(.timedOut, userInfo: info)
  }

  @Test func `an error with an unordered dictionary has the same text each time`() {
    let texts = (0..<20).map { _ -> [String] in
      let errors: [any Error] = [
        Self.timeout(), Wrapping.network(Self.timeout()), Explained(reason: Self.timeout()),
      ]
      return errors.map { ErrorMeaning.text(of: $0) }
    }
    #expect(
      Set(texts) == [
        [
          "URLError.timedOut (NSError NSPOSIXErrorDomain 110)",
          "Wrapping(network: URLError.timedOut (NSError NSPOSIXErrorDomain 110))",
          "Explained(reason: URLError.timedOut (NSError NSPOSIXErrorDomain 110))",
        ]
      ])
  }

  @Test func `an error's dictionary is written in key order and its HTTP response as the status`() throws {
    let fields = Dictionary(uniqueKeysWithValues: (0..<5).map { ("key \($0)", $0) })
    #expect(
      ErrorMeaning.text(of: Wrapping.fields(fields))
        == "Wrapping(fields: [(key: key 0, value: 0), (key: key 1, value: 1), (key: key 2, value: 2), (key: key 3, value: 3), (key: key 4, value: 4)])"
    )
    let url = try #require(URL(string: "https://api.example.com/"))
    let response = HTTPURLResponse(url: url, statusCode: 503, httpVersion: nil, headerFields: ["A": "b", "C": "d"])
    #expect(ErrorMeaning.text(of: Wrapping.status(3, response)) == "Wrapping(status: (3, HTTPURLResponse 503))")
  }

  @Test func `a request within an error is written as its URL, although its fields have no order`() {
    struct Refused: Error {
      var request = URLRequest(url: url("http://a.example/"))
    }
    var error = Refused()
    for number in 0..<9 { error.request.setValue("x", forHTTPHeaderField: "Field-\(number)") }
    #expect(ErrorMeaning.text(of: error) == "Refused(request: http://a.example/)")
  }

  @Test func `an error's own description is used unless it contains unordered values`() {
    #expect(ErrorMeaning.text(of: Short(count: 3)) == "Short: only 3 bytes")
    #expect(ErrorMeaning.text(of: Wrapping.plain) == "Wrapping: plain")
    #expect(ErrorMeaning.text(of: Wrapping.network(Short(count: 3))) == "Wrapping: network(only 3 bytes)")
  }

  @Test func `an error's type is written once if the error's own text begins with it`() {
    #expect(ErrorMeaning.text(of: Noted(note: 3)) == "Noted<Int>(note: 3)")
    do { _ = try JSONDecoder().decode(Int.self, from: Data("<p>".utf8)) } catch {
      #expect(ErrorMeaning.text(of: error).hasPrefix("DecodingError.dataCorrupted"), "\(ErrorMeaning.text(of: error))")
    }
  }

  @Test func `shortening an error's text changes its values but not its codes`() {
    let blur: (String) -> String = { $0.replacingOccurrences(of: "3", with: "#") }
    #expect(ErrorMeaning.text(of: Short(count: 3), shortening: blur) == "Short: only # bytes")
    let other = Wrapping.network(NSError(domain: "domain", code: 3))
    #expect(ErrorMeaning.text(of: other, shortening: blur) == "Wrapping(network: NSError domain 3)")
    #expect(
      ErrorMeaning.text(of: CocoaError(.fileNoSuchFile)) != ErrorMeaning.text(of: CocoaError(.fileReadNoPermission)))
  }

  /// A value with its own description, as JSON types have.
  struct Note<Value>: @unchecked Sendable, CustomStringConvertible {
    let value: Value
    var description: String { "a note of \(value)" }
  }
  struct Noted<Value: Sendable>: Error {
    let note: Value
  }
  struct Numbered: LabelledError {
    let id = UUID()
    let status: Int
    var label: String { "status \(status)" }
  }

  @Test func `a value's own description is used unless it contains unordered values`() {
    #expect(ErrorMeaning.text(of: Noted(note: Note(value: "beta"))) == "Noted<Note<String>>(note: a note of beta)")
    let texts = (0..<20).map { _ in
      ErrorMeaning.text(of: Explained(reason: Noted(note: Note(value: Self.timeout()))))
    }
    #expect(
      Set(texts) == [
        "Explained(reason: Noted<Note<URLError>>(note: Note<URLError>(value: URLError.timedOut (NSError NSPOSIXErrorDomain 110))))"
      ])
    let several: [(any Error)?] = [Self.timeout(), nil, Short(count: 3)]
    #expect(
      ErrorMeaning.text(of: Noted(note: Note(value: several))).hasSuffix(
        "(value: [URLError.timedOut (NSError NSPOSIXErrorDomain 110), nil, Short(count: 3)]))"))
  }

  struct Pair: Error {
    let first: any Error
    let second: Note<Int>
  }

  @Test func `in a pair of an unordered error and a described value, each keeps its own text`() {
    #expect(
      ErrorMeaning.text(of: Pair(first: Self.timeout(), second: Note(value: 1)))
        == "Pair(first: URLError.timedOut (NSError NSPOSIXErrorDomain 110), second: a note of 1)")
  }

  @Test func `an error with a label is written by its label, even inside another error`() {
    #expect(ErrorMeaning.text(of: Numbered(status: 3)) == "status 3")
    #expect(ErrorMeaning.text(of: Wrapping.network(Numbered(status: 3))) == "Wrapping(network: status 3)")
    let info: [String: Any] = [NSUnderlyingErrorKey: Numbered(status: 3)]
    #expect(ErrorMeaning.text(of: NSError(domain: "domain", code: 4, userInfo: info)) == "NSError domain 4 (status 3)")
  }

  @Test func `a determinism check accepts errors with the same meaning in each run`() async throws {
    await #expect(throws: SimulationFailure.self) {
      try await Simulation<Void>.verifyDeterminism("3G") { _ in throw Wrapping.network(Numbered(status: 3)) }
    }
    await #expect(throws: SimulationError.self) {
      try await Simulation<Void>.verifyDeterminism("3G", capturing: .nothing) { _ in throw Noted(note: UUID()) }
    }
  }

  struct Named: LabelledError {
    let label = "named"
    let reason: any Error
  }

  @Test func `a cancellation is found in the errors that an error carries`() {
    let cancelled: [any Error] = [
      CancellationError(), URLError(.cancelled), NSError(domain: NSURLErrorDomain, code: NSURLErrorCancelled),
    ]
    for error in cancelled {
      let info: [String: Any] = [NSUnderlyingErrorKey: error]
      let several: [(any Error)?] = [Short(count: 3), nil, error]
      for carrier: any Error in [
        error, Wrapping.network(error), Explained(reason: Wrapping.network(error)), Named(reason: error),
        Wrapping.network(Named(reason: error)), NSError(domain: "domain", code: 4, userInfo: info),
        Noted(note: Note(value: several)),
      ] {
        #expect(ErrorMeaning.carriesCancellation(carrier), "\(carrier)")
      }
    }
    let code = NSURLErrorCancelled
    for other: any Error in [
      Short(count: 3), Self.timeout(), Wrapping.network(Self.timeout()), NSError(domain: "domain", code: code),
    ] {
      #expect(!ErrorMeaning.carriesCancellation(other), "\(other)")
    }
  }

  @Test func `an error that contains itself gets a finite text`() {
    let circle = Circle()
    circle.next = Wrapping.network(circle)
    #expect(ErrorMeaning.text(of: circle).contains("…"))
    circle.next = nil
  }
}

import LinkSimulator
import Testing

@testable import TimelineReports

struct URLPlaceTests {
  @Test(arguments: [
    ("https://a.example/x?y=1", "https://a.example", "/x?y=1"), ("https://a.example", "https://a.example", "/"),
    ("http://[::1]:8080?q", "http://[::1]:8080", "/?q"), ("nonsense", "nonsense", "/"),
    ("https://u@a.example:99/", "https://u@a.example:99", "/"),
  ])
  func `a URL is split into its origin and its path with query`(url: String, origin: String, path: String) {
    let place = URLPlace(url)
    #expect(place.origin == origin && place.path == path && place.text == url)
  }

  @Test func `a count of nanoseconds is written as an exact decimal number`() {
    #expect(DecimalText.of(1_234_567, places: 3) == "1234.567")
    #expect(DecimalText.of(1_000, places: 3) == "1" && DecimalText.of(-1_050, places: 3) == "-1.05")
    #expect(DecimalText.of(Int64.min, places: 9) == "-9223372036.854775808")
  }
}

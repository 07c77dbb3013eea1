import Testing

@testable import NetworkConditions
import URLLoading

struct SimulationErrorsTests {
  @Test(
    arguments: [
      ("https://a.example/", nil), ("http://a-1.example", nil), ("HTTP://a.example", nil),
      ("https://[::1]:8080/a", nil),
      ("https://a.example:80?b", nil), ("http://a.example:65535/", nil), ("http://a.example:65536/", .badURL),
      ("ftp://a.example/", .unsupportedURL), ("a.example", .unsupportedURL),
      ("httpss://a.example", .unsupportedURL), ("https:///a", .badURL), ("http:", .badURL),
    ] as [(String, URLError.Code?)])
  func `only an HTTP URL with a host can be loaded`(text: String, code: URLError.Code?) {
    #expect(URLError.refusal(of: URL(string: text) as URL?)?.code == code)
    #expect(URLError.refusal(of: nil)?.code == .unsupportedURL)
  }

  @Test func `an error of the path names the failed URL and the POSIX error`() {
    let url = url("https://a.example/x")
    let error = URLError.failure(.refused, url: url)
    #expect(error.code == .cannotConnectToHost && error.userInfo[NSURLErrorFailingURLErrorKey] as? URL == url)
    #expect((error.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == Int(POSIXErrorCode.ECONNREFUSED.rawValue))
  }
}

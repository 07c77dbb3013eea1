import Testing
import URLLoading

@testable import NetworkConditions

#if canImport(FoundationNetworking)
  struct URLErrorNativeTests {
    static func native(_ code: URLError.Code, _ text: String) -> URLError {
      URLError(code, userInfo: [NSLocalizedDescriptionKey: text])
    }

    /// The texts are libcurl's.
    @Test(arguments: [
      (
        URLError.Code.unknown, "transfer closed with 10 bytes remaining to read", true,
        URLError.Code.networkConnectionLost
      ),
      (.unknown, "Recv failure: Connection reset by peer", false, .networkConnectionLost),
      (.unknown, "SSL certificate problem: self-signed certificate", false, .serverCertificateUntrusted),
      (.unknown, "SSL certificate problem: certificate has expired", false, .serverCertificateHasBadDate),
      (.unknown, "SSL certificate problem: certificate is not yet valid", false, .serverCertificateNotYetValid),
      (
        .unknown, "SSL: no alternative certificate subject name matches target host name '127.0.0.1'", false,
        .serverCertificateUntrusted
      ),
      (.unknown, "SSL connect error", false, .secureConnectionFailed),
      (
        .unknown, "Error while processing content unencoding: incorrect header check", true, .cannotDecodeRawData
      ),
      (
        .unknown, "Unrecognized content encoding type. libcurl understands deflate, gzip content encodings.", true,
        .cannotDecodeContentData
      ),
      (.unknown, "Illegal or missing hexadecimal sequence in chunked-encoding", true, .cannotParseResponse),
      (.unknown, "Invalid Content-Length: value", false, .cannotParseResponse),
      (.unknown, "Immediate connect fail for 10.0.0.1: Network is unreachable", false, .cannotConnectToHost),
      (.unknown, "Failed to connect to x.example port 80: No route to host", false, .cannotConnectToHost),
      (.unknown, "out of memory", false, .unknown),
      (.badServerResponse, "Empty reply from server", false, .networkConnectionLost),
      (.unsupportedURL, "Received HTTP/0.9 when not allowed", false, .cannotParseResponse),
      (.cannotFindHost, "Could not resolve host: x.example", false, .cannotFindHost),
      (.cancelled, "cancelled", true, .cancelled),
    ])
    func `URLError codes of Linux are mapped to those of Apple platforms`(
      code: URLError.Code, text: String, behindHead: Bool, expected: URLError.Code
    ) {
      let error = URLError(native: Self.native(code, text), behindHead: behindHead)
      #expect(error.code == expected && error.localizedDescription == text)
      let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError
      #expect(underlying?.code == (code == expected ? nil : code.rawValue))
    }

    @Test func `the delegate queue keeps the order of 2000 operations`() async {
      let queue = BoundedDelegateQueue()
      let (numbers, continuation) = AsyncStream<Int>.makeStream()
      for number in 0..<2_000 { queue.addOperation { continuation.yield(number) } }
      queue.addOperation { continuation.finish() }
      var expected = 0
      for await number in numbers {
        #expect(number == expected)
        expected += 1
      }
      #expect(expected == 2_000)
    }
  }
#endif

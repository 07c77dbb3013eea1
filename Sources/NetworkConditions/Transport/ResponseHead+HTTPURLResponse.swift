import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension ResponseHead {
  /// The head as `URLSession` hands it to clients. Fields of one name are joined by commas (RFC 9110, 5.3).
  func response(for url: URL) -> URLResponse {
    var fields: [String: String] = [:]
    for field in headers {
      if let known = fields[field.name] {
        fields[field.name] = "\(known), \(field.value)"
      } else {
        fields[field.name] = field.value
      }
    }
    return HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields)
      ?? URLResponse(url: url, mimeType: nil, expectedContentLength: -1, textEncodingName: nil)
  }
}

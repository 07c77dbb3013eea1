import Foundation

extension HTTPArchive.Request {
  /// The request with its URL's query as items, decoded, and without the fragment, which is never sent.
  var withQuery: HTTPArchive.Request {
    var request = self
    request.url = String(url.prefix { $0 != "#" })
    guard let query = URLText(request.url).query, !query.isEmpty else { return request }
    request.query = query.split(separator: "&").map { item in
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { part in
        part.replacing("+", with: " ").removingPercentEncoding ?? String(part)
      }
      return HTTPArchive.Field(parts[0], parts.count > 1 ? parts[1] : "")
    }
    return request
  }
}

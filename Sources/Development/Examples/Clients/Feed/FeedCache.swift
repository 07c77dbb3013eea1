/// The pages that were loaded before. What lies behind a cursor never changes; the first page does, and is not kept.
package actor FeedCache {
  private var pages: [String: FeedPage] = [:]

  package init() {}

  func page(at cursor: String?) -> FeedPage? {
    cursor.flatMap { pages[$0] }
  }

  func store(_ page: FeedPage, at cursor: String?) {
    if let cursor { pages[cursor] = page }
  }
}

/// One entry of the feed.
package struct FeedItem: Codable, Hashable, Sendable {
  package let id: Int
  package let title: String

  package init(id: Int, title: String) {
    self.id = id
    self.title = title
  }
}

/// A page of the feed, and where the next one begins.
package struct FeedPage: Codable, Hashable, Sendable {
  package let items: [FeedItem]
  /// The cursor of the next page; `nil` on the last.
  package let next: String?

  package init(items: [FeedItem], next: String?) {
    self.items = items
    self.next = next
  }
}

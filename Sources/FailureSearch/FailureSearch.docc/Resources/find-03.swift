private func page(at cursor: String?) async throws -> FeedPage {
  if let known = await cache.page(at: cursor) { return known }
  var backoff = Backoff()
  var attempt = 1
  var deadline = clock.deadline(after: timeout)
  while true {
    do {
      let page = try await deadline.limit { try await load(cursor) }
      await cache.store(page, at: cursor)
      return page
    } catch let error as URLError where error.code != .cancelled && attempt < attempts {
      attempt += 1
      try await clock.sleep(for: backoff.next())
    }
  }
}

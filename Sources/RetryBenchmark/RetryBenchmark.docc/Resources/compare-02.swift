struct OurClient {
  let session: URLSession
  let clock: any Clock<Duration>

  init(_ session: URLSession, _ clock: any Clock<Duration>) {
    self.session = session
    self.clock = clock
  }

  func send(_ request: URLRequest) async throws -> Data {
    for attempt in 0..<3 {
      if let (data, response) = try? await session.data(for: request),
        (response as? HTTPURLResponse)?.statusCode == 200
      {
        return data
      }
      try await clock.sleep(for: .seconds(1 << attempt))
    }
    throw URLError(.timedOut)
  }
}

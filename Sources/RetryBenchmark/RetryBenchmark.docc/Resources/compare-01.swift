struct OurClient {
  let session: URLSession
  let clock: any Clock<Duration>

  init(_ session: URLSession, _ clock: any Clock<Duration>) {
    self.session = session
    self.clock = clock
  }
}

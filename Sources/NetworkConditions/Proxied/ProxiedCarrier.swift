import LinkSimulator

extension ProxiedNetwork {
  /// How many bytes of one direction of a connection have been written and have arrived.
  struct Flow {
    var written: Int64 = 0
    var arrived: Int64 = 0
    /// The bytes written to the simulated path; `arrived` counts those that reached the other end.
    var carried: Int64 = 0
    var carriedArrived: Int64 = 0
    var isFinished = false
    var hasEnded = false
  }

  struct Carrier {
    var stream: StreamID
    var path: Int
    var exchange: Int?
    var isConnected = false
    /// Whether faults count the connection's bytes, so that all bytes must go over the link.
    var hasFaults: Bool
    var up = Flow()
    var down = Flow()

    subscript(direction: Direction) -> Flow {
      get { direction == .up ? up : down }
      _modify {
        if direction == .up { yield &up } else { yield &down }
      }
    }
  }
}

import LinkSimulator

extension ProxiedNetwork {
  /// How far one direction of a connection has come, in bytes.
  struct Flow {
    var written: Int64 = 0
    var arrived: Int64 = 0
    /// Of what was handed to the path: handed in and arrived.
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
    /// Whether faults count the bytes of the stream, so that all of them have to take the way over the link.
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

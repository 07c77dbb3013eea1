/// Counts work outside of a network's time; while there is any, the time stands still.
struct OutsideWork {
  /// How many clients were told that there is output, and have not taken it.
  var toldClients = 0
  /// How many clients still read a stream for their upload.
  var openUploads = 0
  private var workingServers = 0
  /// How many working servers answer from outside, such as real servers.
  private(set) var realServers = 0

  var isNone: Bool { toldClients == 0 && workingServers == 0 && openUploads == 0 }

  mutating func change(_ before: EngineState.ServerWork, to after: EngineState.ServerWork) {
    count(before, -1)
    count(after, 1)
  }

  private mutating func count(_ work: EngineState.ServerWork, _ change: Int) {
    switch work {
    case .working: workingServers += change
    case .outside:
      workingServers += change
      realServers += change
    case .waiting, .done: break
    }
  }
}

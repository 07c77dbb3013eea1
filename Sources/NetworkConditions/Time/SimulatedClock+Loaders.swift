import URLLoading

extension SimulatedClock {
  fileprivate var loaderTime: LoaderTime {
    let isSimulation = engine.simulation != nil
    return LoaderTime(self, origin: .zero) {
      // In a simulation the date is a captured client's: it begins on 1 January 2026.
      guard isSimulation else { return Date() }
      return Date(timeIntervalSince1970: 1_767_225_600 + Double(now.nanoseconds) / 1e9)
    }
  }
}

extension SimulatedNetwork {
  var loaderTime: LoaderTime {
    var time = clock.loaderTime
    time.path = { [self] in for await path in pathUpdates where path.status == .satisfied { return } }
    return time
  }

  /// Registers, once per process, a function that finds a network's clock by the network or its session.
  static let findsClocks: Void = LoaderTime.find { loader in
    if let network = loader as? SimulatedNetwork { return network.loaderTime }
    guard let session = loader as? URLSession, let binding = ProtocolSlots.binding(of: session) else { return nil }
    // Networks take turns with an adopted session. The client of a simulation that waits for its turn keeps its own time.
    if binding.isAdopted, SimulationDriver.isDriving, binding.engine.simulation?.here == nil { return nil }
    return SimulatedClock(engine: binding.engine).loaderTime
  }
}

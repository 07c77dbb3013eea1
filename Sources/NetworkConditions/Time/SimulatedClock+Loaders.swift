import Internals
import URLLoading

extension SimulatedClock {
  fileprivate var loaderTime: LoaderTime {
    let isSimulation = engine.simulation != nil
    return LoaderTime(self, origin: .zero) {
      isSimulation ? now.simulatedDate : Date()
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
  static let findsClocks: Void = LoaderTime.finder.set { loader in
    if let network = loader as? SimulatedNetwork { return network.loaderTime }
    guard let session = loader as? URLSession, let binding = ProtocolSlots.binding(of: session) else { return nil }
    // Networks take turns with an adopted session. The client of a simulation that waits for its turn keeps its own time.
    if binding.isAdopted, SimulationDriver.isDriving, binding.engine.simulation?.here == nil { return nil }
    return SimulatedClock(engine: binding.engine).loaderTime
  }
}

/// Marks the URL protocol classes through which this package simulates a network.
///
/// A session that is to reach the real network leaves them out, or its requests would come back to the simulation.
public protocol SimulatedURLProtocolMarker: AnyObject {}

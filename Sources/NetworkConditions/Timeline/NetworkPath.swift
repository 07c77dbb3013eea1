public import LinkSimulator

/// The state of the network that a device's system reports to its apps, as `NWPath` of Apple's Network framework does.
public struct NetworkPath: Hashable, Sendable, CustomStringConvertible {
  /// Whether requests may be sent.
  public enum Status: String, Hashable, Sendable {
    /// The device is connected to a network, which need not work: in a tunnel nobody knows.
    case satisfied
    /// The system knows that it is offline.
    case unsatisfied
  }

  /// Whether requests may be sent.
  public var status: Status
  /// By what the device reaches the network.
  public var interface: DeviceConditions.Interface
  /// Whether data costs money: over a carrier's network.
  public var isExpensive: Bool
  /// Whether the user asks for little data (Low Data Mode).
  public var isConstrained: Bool

  init(_ conditions: PathConditions) {
    status = conditions.outage == .refuse ? .unsatisfied : .satisfied
    interface = conditions.device.interface
    isExpensive = interface == .cellular
    isConstrained = conditions.device.isConstrained
  }

  /// The path in a few words, such as `satisfied, cellular, expensive`.
  public var description: String {
    ([status.rawValue, interface == .unknown ? nil : interface.rawValue] + [
      isExpensive ? "expensive" : nil, isConstrained ? "constrained" : nil,
    ]).compactMap { $0 }.joined(separator: ", ")
  }
}

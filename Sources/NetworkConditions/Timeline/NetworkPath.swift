public import LinkSimulator

/// The network status that a device's system reports to apps, like `NWPath` of Apple's Network framework.
public struct NetworkPath: Hashable, Sendable, CustomStringConvertible {
  /// Whether an app may send requests.
  public enum Status: String, Hashable, Sendable {
    /// The device is connected to a network, which may not work: in a tunnel the system notices nothing.
    case satisfied
    /// The system knows that it is offline.
    case unsatisfied
  }

  /// Whether an app may send requests.
  public var status: Status
  /// The interface by which the device reaches the network.
  public var interface: DeviceConditions.Interface
  /// Whether data costs money, as over a cellular network.
  public var isExpensive: Bool
  /// Whether the user wants to save data (Low Data Mode).
  public var isConstrained: Bool

  init(_ conditions: PathConditions) {
    status = conditions.outage == .refuse ? .unsatisfied : .satisfied
    interface = conditions.device.interface
    isExpensive = interface == .cellular
    isConstrained = conditions.device.isConstrained
  }

  /// The status in a few words, such as `satisfied, cellular, expensive`.
  public var description: String {
    ([status.rawValue, interface == .unknown ? nil : interface.rawValue] + [
      isExpensive ? "expensive" : nil, isConstrained ? "constrained" : nil,
    ]).compactMap { $0 }.joined(separator: ", ")
  }
}

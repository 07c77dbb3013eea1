/// The state of the client's device at one time: its network interface, Low Data Mode, and app suspension.
public struct DeviceConditions: Hashable, Sendable {
  /// A device's interface to the network; each interface has its own address.
  public struct Interface: RawRepresentable, Hashable, Sendable {
    /// The name of the interface, such as `wifi`.
    public let rawValue: String

    /// Creates an interface with any name, such as one for a second Wi-Fi network.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A Wi-Fi network.
    public static let wifi = Interface(rawValue: "wifi")
    /// A mobile carrier's network, usually metered.
    public static let cellular = Interface(rawValue: "cellular")
    /// A wired network, such as Ethernet.
    public static let wired = Interface(rawValue: "wired")
    /// An interface of unknown kind.
    public static let unknown = Interface(rawValue: "unknown")
  }

  /// The interface by which the device reaches the network.
  ///
  /// When it changes from one phase to the next, the device gets another address. Every connection is lost at once, and
  /// no server is notified.
  public var interface = Interface.unknown
  /// Whether the user has turned on Low Data Mode, which asks apps for little traffic.
  public var isConstrained = false
  /// Whether the app is suspended: it loses its connections and receives no events until it resumes.
  ///
  /// Source: Apple's Technical Note TN2277. The system may close sockets as soon as the app is suspended, and the app
  /// learns it on resuming.
  public var suspendsApp = false

  /// Creates the default state: interface unknown, Low Data Mode off, app not suspended.
  public init() {}
}

/// The state of the client's device at one time, as far as its connections and its programs feel it.
public struct DeviceConditions: Hashable, Sendable {
  /// A way by which a device reaches the network; two of them have two addresses.
  public struct Interface: RawRepresentable, Hashable, Sendable {
    /// The name of it, such as `wifi`.
    public let rawValue: String

    /// Names an interface; any name will do, as for a second Wi-Fi network.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A wireless network of one's own.
    public static let wifi = Interface(rawValue: "wifi")
    /// A carrier's network, where data costs money.
    public static let cellular = Interface(rawValue: "cellular")
    /// A cable.
    public static let wired = Interface(rawValue: "wired")
    /// One of which nothing is said.
    public static let unknown = Interface(rawValue: "unknown")
  }

  /// By what the device reaches the network.
  ///
  /// Where one phase has another interface than the one before, the device has another address: every connection is lost at
  /// once, and no server hears of it.
  public var interface = Interface.unknown
  /// Whether the user asks for little data: Low Data Mode.
  public var isConstrained = false
  /// Whether the app is suspended: the system takes its connections away, and nothing that happens reaches it until it goes on.
  ///
  /// Apple's Technical Note TN2277 says what becomes of sockets: the system may take them as soon as the app is suspended, and
  /// the app hears of it when it goes on.
  public var suspendsApp = false

  /// Creates the state of a device of which nothing is said.
  public init() {}
}

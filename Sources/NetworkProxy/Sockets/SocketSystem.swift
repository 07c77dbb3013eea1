import Foundation

/// The calls that a proxy makes for its sockets, each of which is known by its number; no call blocks.
///
/// ``SystemSockets`` has real sockets; tests use their own, which exist in memory.
protocol SocketSystem: AnyObject {
  /// Reads bytes that have come, as many as `buffer` has room for.
  func read(_ socket: Int32, into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome
  /// Writes as many of the bytes as there is room for.
  func write(_ socket: Int32, _ bytes: UnsafeRawBufferPointer) -> WriteOutcome
  /// Says that no more will be written.
  func endWriting(_ socket: Int32)
  /// Closes a socket, in good order or with a reset.
  func close(_ socket: Int32, resetting: Bool)
  /// Begins to connect to a host, whose name is looked up if it is one; the outcome comes with the token.
  func connect(to host: String, port: UInt16, token: Int)
}

/// The result of reading from a socket.
enum ReadOutcome: Equatable {
  case bytes(Int)
  /// The other side says no more.
  case end
  /// Nothing has come yet.
  case nothing
  /// The connection is broken: reset, mostly.
  case broken
}

/// The result of writing to a socket.
enum WriteOutcome: Equatable {
  case bytes(Int)
  /// There is no room yet.
  case full
  case broken
}

/// Why a server could not be connected to.
enum ConnectFailure: Error, Equatable {
  case unknownName
  case refused
  case unreachable
  case timedOut
  /// The address is one at which the proxy itself listens.
  case ownAddress
}

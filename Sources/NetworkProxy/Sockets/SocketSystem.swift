import Foundation

/// The calls that a proxy makes for its sockets, each of which is known by its number; no call blocks; tests have
/// sockets in memory.
protocol SocketSystem: AnyObject {
  func read(_ socket: Int32, into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome
  func write(_ socket: Int32, _ bytes: UnsafeRawBufferPointer) -> WriteOutcome
  func endWriting(_ socket: Int32)
  func close(_ socket: Int32, resetting: Bool)
  /// Begins to connect to a host, whose name is looked up if it is one; the outcome comes with the token.
  func connect(to host: String, port: UInt16, token: Int)
}

enum ReadOutcome: Equatable {
  case bytes(Int)
  case end
  case nothing
  case broken
}

enum WriteOutcome: Equatable {
  case bytes(Int)
  case full
  case broken
}

/// Why a server could not be connected to.
enum ConnectFailure: Error, Equatable {
  case unknownName
  case refused
  case unreachable
  case timedOut
  case ownAddress
}

import Foundation

/// The calls that a proxy makes for its sockets, each known by its descriptor.
///
/// No call blocks. Tests implement it with sockets in memory.
protocol SocketSystem: AnyObject {
  func read(_ socket: Int32, into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome
  func write(_ socket: Int32, _ bytes: UnsafeRawBufferPointer) -> WriteOutcome
  func endWriting(_ socket: Int32)
  func close(_ socket: Int32, resetting: Bool)
  /// Begins to connect to a host, and looks up its name if needed; the result is reported with the token.
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

enum ConnectFailure: Error, Equatable {
  case unknownName
  case refused
  case unreachable
  case timedOut
  case ownAddress
}

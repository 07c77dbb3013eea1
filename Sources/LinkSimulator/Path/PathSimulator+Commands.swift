/// A call on the path, stored until the next step, which runs calls in the order of their requests' keys.
struct Command: Sendable {
  enum Kind: Sendable {
    case open
    case write(Int64, Direction, isLast: Bool, StreamRequest.Persistence)
    case stop
    case cancel
    case abort
  }

  var key: UInt64
  var slot: Int32
  var number: Int
  var kind: Kind
}

extension PathSimulator {
  mutating func command(_ kind: Command.Kind, _ stream: StreamID) {
    guard let slot = streams.slot(of: stream), streams[slot].state != .ended else { return }
    commands.append(Command(key: streams[slot].key, slot: slot, number: stream.number, kind: kind))
  }

  /// Runs the stored calls in the order of their requests' keys; equal keys in the order of the calls.
  mutating func runCommands() {
    var work: [Command] = []
    swap(&work, &commands)
    work.sort { $0.key < $1.key }
    for command in work {
      guard streams[command.slot].number == command.number else { continue }
      run(command)
      passNotices()
    }
    if !unsent.isEmpty { transmitUnsent() }
    work.removeAll(keepingCapacity: true)
    if commands.isEmpty { swap(&work, &commands) }
  }

  private mutating func run(_ command: Command) {
    switch command.kind {
    case .open: start(command.slot)
    case .write(let count, let direction, let isLast, let persistence):
      if persistence != .kept, connections[pool: streams[command.slot].pool].key.version == .http1 {
        streams[command.slot].persistence = persistence
      }
      write(count, direction, isLast: isLast, command.slot)
    case .stop: stopped(command.slot)
    case .cancel: end(command.slot, closing: true, resetting: true)
    case .abort: aborted(command.slot)
    }
  }
}

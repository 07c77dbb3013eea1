/// The purpose of a timer in the heap: the lowest four bits of its value, above which stands a number.
enum TimerKind: Int {
  case connection
  case lookup
  case answer
  case stream
  case idleClose
  case handshake
  case tick
  case latency
  case race
}

/// What a timer in the heap is for: the lowest four bits of the entry's value, below an index.
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

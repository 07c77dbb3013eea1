import ClientCapture
import Internals
import LinkSimulator
import struct Synchronization.Atomic

extension SimulationDriver: CaptureHost {
  var instant: Int64 { owner.network?.now.nanoseconds ?? 0 }

  func call(atInstant instant: Int64, _ work: @escaping @Sendable () -> Void) -> TimerTicket? {
    owner.network?.call(at: SimulatedInstant(nanoseconds: instant), work)
  }

  func drawn(_ number: UInt64) -> UInt64 { chance.keyed(by: "drawn").keyed(by: number).bits }

  func choice(at instant: Int64, _ number: UInt64, below count: Int) -> Int {
    Int(chance.keyed(by: UInt64(bitPattern: instant)).keyed(by: number).number(below: Int64(count)))
  }

  func onClientThread<Result>(_ body: () -> Result) -> Result { reportedRun?.onThisThread(body) ?? body() }

  func refuse(_ call: String, remedy: String) -> Bool { refuse(call, at: .current, remedy: remedy) }

  func takeSharedObject() {
    if let network = owner.network { SharedTurns.take(nil, for: network, self) }
  }

  func note(_ access: FileAccess) -> Bool { lives.withLock { $0 }?.note(access) ?? false }

  func noteProgress() { progress.wrappingAdd(1, ordering: .relaxed) }
  var movements: UInt64 { progress.load(ordering: .relaxed) }
}

extension SimulationDriver {
  var isClientsWork: Bool { isCapturing && clientThreads.isClientsWork }

  func watchFiles(below folder: String, for lives: ClientLives) {
    self.lives.withLock { $0 = lives }
    clientThreads.watchFiles(below: folder)
  }

  func killClient() { clientThreads.kill() }
}

#if !os(Linux)
  import Foundation
  import Internals
  import NetworkConditions

  extension FailureSearch.Workers {
    static var program: URL? { Bundle.main.executableURL }
    /// Whether a test program can be started again to run one test: no, since Xcode runs the tests here.
    package static let canRunTests = false
  }

  #if os(macOS)
    enum ProcessMemory {
      static func bytes(of process: Int32) -> Int64 {
        var facts = proc_taskinfo()
        let size = Int32(MemoryLayout<proc_taskinfo>.size)
        guard proc_pidinfo(process, PROC_PIDTASKINFO, 0, &facts, size) == size else { return 0 }
        return Int64(clamping: facts.pti_resident_size)
      }
    }
  #else
    /// A stand-in: iOS, tvOS, watchOS and visionOS start no processes, so a search that asks for them is refused.
    final class WorkerPool: Sendable {
      init(_ setting: FailureSearch.Workers.Processes) throws {
        throw FailureSearchError.impossible(
          "this system cannot start processes for `workers: .processes()`: search in this one, or on macOS or Linux")
      }

      func verdict(_ token: ReplayToken, of runner: SearchRunner, isRecorded: Bool) async throws -> Verdict? {
        preconditionFailure("no pool is made")
      }
      func end() {}
    }
  #endif
#endif

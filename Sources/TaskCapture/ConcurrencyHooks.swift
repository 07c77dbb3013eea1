#if os(Linux) && compiler(>=6.3) && compiler(<6.4)
  import Foundation
  import NetworkConditions

  /// The runtime's own hooks, through which it asks where jobs without an executor are to run.
  ///
  /// They are the process's: each leaves alone what does not come from a simulation's thread.
  enum ConcurrencyHooks {
    private typealias Original = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

    private typealias MainOriginal = @convention(thin) () -> UnownedSerialExecutor
    private typealias MainHook = @convention(thin) (MainOriginal) -> UnownedSerialExecutor

    /// Installs the hooks; a sentence when this runtime does not have them.
    static func install() -> String? {
      guard let global = address(of: "swift_task_enqueueGlobal_hook", as: Hook?.self),
        let main = address(of: "swift_task_getMainExecutor_hook", as: MainHook?.self)
      else {
        return """
          The Swift runtime does not have the hooks by which tasks are captured. \
          Let the client take the network's clock, and leave out "capturing: .tasks".
          """
      }
      global.pointee = { job, original in
        if let time = SimulationTime.capturing { time.enqueue(job) } else { original(job) }
      }
      main.pointee = { original in
        SimulationTime.capturing == nil ? original() : CapturingMainExecutor.shared.asUnownedSerialExecutor()
      }
      return nil
    }

    private static func address<Pointee>(of name: String, as type: Pointee.Type) -> UnsafeMutablePointer<Pointee>? {
      guard let program = dlopen(nil, RTLD_NOW), let symbol = dlsym(program, name) else { return nil }
      return symbol.assumingMemoryBound(to: type)
    }
  }
#endif

/// Runs the jobs of a simulation's tasks where its driver does: one after another, on the driver's thread.
final class DriverExecutor: TaskExecutor {
  private let driver: SimulationDriver

  init(driver: SimulationDriver) {
    self.driver = driver
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if !driver.enqueue(job) {
      // The simulation is over, and a task of its was left behind: it ends as any other task.
      globalConcurrentExecutor.enqueue(job)
    }
  }
}

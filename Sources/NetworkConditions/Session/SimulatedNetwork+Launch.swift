public import Foundation
import Internals

/// One launch of a client, with its files and its number.
public struct Launch: Sendable {
  /// A folder of this client alone; empty at its first launch, and later as the client left it.
  public let folder: URL
  /// The number of the launch, from 1.
  public let number: Int

  /// Whether this is the client's first launch.
  public var isFirst: Bool { number == 1 }
}

extension SimulatedNetwork {
  /// Runs a client that a schedule may kill, and launches it again with the files it had written.
  ///
  /// ```swift
  /// try await network.launch { app in
  ///   let checkout = Checkout(session: network.session, folder: app.folder)
  ///   if app.isFirst { try await checkout.pay(order) } else { try await checkout.resume() }
  /// }
  /// ```
  ///
  /// In a simulation with a captured client, `everyFault` kills it between any two events and after each change of a
  /// file. A schedule does so with `ScheduledFault.Kind.kill`. All tasks, threads, queues and timers of the client
  /// stop, its connections close, and `client` is called again. Completed writes stay in the files, as when a process
  /// dies. After `ScheduledFault.Kind.powerLoss` the files have the bytes of their last synchronisation. Without
  /// capture `client` is called once.
  ///
  /// Let the client make its own objects in the closure. Statics and instances from outside keep their values.
  /// Everything that runs in the simulation dies, except stubs and child tasks of the caller.
  ///
  /// - Parameter client: the app's code from its start.
  /// - Returns: the value of the launch that returned.
  /// - Throws: the error of that launch, or a file system error if the folder cannot be made.
  public func launch<Value: Sendable>(
    _ client: @escaping @Sendable (Launch) async throws -> Value
  ) async throws -> Value {
    while true {
      let launch = try engine.lives.nextLaunch(of: number)
      guard engine.simulation?.isCapturing == true else { return try await client(launch) }
      let life = ClientLife<Value>()
      let number = engine.lives.begin { life.end(.killed) }
      let end = await withTaskCancellationHandler {
        await life.run { try await client(launch) }
      } onCancel: {
        life.cancel()
      }
      engine.lives.end(number)
      switch end {
      case .returned(let result): return try result.get()
      case .killed: renewSession()
      }
    }
  }
}

/// One life of a client, in its own task, from its launch to its return or death.
private final class ClientLife<Value: Sendable>: Sendable {
  enum End: Sendable {
    case returned(Result<Value, any Error>)
    case killed
  }

  private struct State {
    var waiter: UnsafeContinuation<End, Never>?
    var task: Task<Void, Never>?
    var isCancelled = false
  }
  private let state = Mutex(State())

  /// Runs a client in an unstructured task, so that a captured client's scheduler owns the task and can kill it.
  func run(_ client: @escaping @Sendable () async throws -> Value) async -> End {
    await withUnsafeContinuation { waiter in
      state.withLock { $0.waiter = waiter }
      let task = Task {
        do {
          end(.returned(.success(try await client())))
        } catch {
          end(.returned(.failure(error)))
        }
      }
      let isCancelled = state.withLock { state in
        state.task = task
        return state.isCancelled
      }
      if isCancelled { task.cancel() }
    }
  }

  func end(_ end: End) {
    state.withLock { $0.waiter.take() }?.resume(returning: end)
  }

  func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }
}

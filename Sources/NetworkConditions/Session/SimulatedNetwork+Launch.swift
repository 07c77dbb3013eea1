public import Foundation
import Internals

/// One start of a client: the files that it finds, and how often it was started before.
public struct Launch: Sendable {
  /// A folder that only this client uses: empty at its first launch, and afterwards as the client left it.
  public let folder: URL
  /// Which launch it is, from 1.
  public let number: Int

  /// Whether it is the first.
  public var isFirst: Bool { number == 1 }
}

extension SimulatedNetwork {
  /// Starts a client that a schedule may kill, and starts it again with the files that it had written by then.
  ///
  /// ```swift
  /// try await network.launch { app in
  ///   let checkout = Checkout(session: network.session, folder: app.folder)
  ///   if app.isFirst { try await checkout.pay(order) } else { try await checkout.resume() }
  /// }
  /// ```
  ///
  /// In a simulation with a captured client, `everyFault` kills it between any two events and after each change of a
  /// file, and a schedule does so with `ScheduledFault.Kind.kill`. Then no task, thread, queue or timer of the client
  /// goes on, its connections close, and `client` is called again. Files stay as they are at that moment: the end of a
  /// process loses no write that has returned. With `ScheduledFault.Kind.powerLoss` they have the bytes of their last
  /// synchronisation. Elsewhere `client` is called once.
  ///
  /// Let the client make its own objects in the closure. Statics keep their values, and an instance from outside keeps
  /// its own. All that runs in the simulation dies, except child tasks of the caller and stubs.
  ///
  /// - Parameter client: what the app does when it starts.
  /// - Returns: the value of the launch that came to its end.
  /// - Throws: the error of that launch; an error of the file system, where there can be no folder.
  public func launch<Value: Sendable>(
    _ client: @escaping @Sendable (Launch) async throws -> Value
  ) async throws -> Value {
    while true {
      let launch = try engine.lives.nextLaunch(of: number)
      guard engine.timeSource.canKillClient else { return try await client(launch) }
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

/// One life of a client, in a task of its own, from its launch to its return or its death.
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

  /// Runs a client; not in a child task: a captured one's task is then the scheduler's, and can be killed.
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
    let waiter = state.withLock { state in
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: end)
  }

  func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }
}

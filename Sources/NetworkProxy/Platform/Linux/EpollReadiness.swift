#if os(Linux)
  import Dispatch
  import Foundation
  import Internals
  import SystemEvents

  final class EpollReadiness: Readiness {
    private let queue: Int32
    private let bell: Int32
    private let timer: Int32
    private var armed: UInt64 = 0
    private var found = [epoll_event](repeating: epoll_event(), count: 512)

    init() {
      queue = epoll_create1(Int32(EPOLL_CLOEXEC))
      bell = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
      timer = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
      precondition(queue >= 0 && bell >= 0 && timer >= 0, "the system has no descriptors left")
      watch(bell)
      watch(timer)
    }

    deinit {
      for descriptor in [queue, bell, timer] { _ = Foundation.close(descriptor) }
    }

    func watch(_ socket: Int32) {
      var event = epoll_event()
      event.events = EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
      event.data.fd = socket
      _ = epoll_ctl(queue, EPOLL_CTL_ADD, socket, &event)
    }

    func exhausted(_ socket: Int32, _ change: ReadinessChange) {}

    func close(_ socket: Int32) { _ = Foundation.close(socket) }

    func wait(until deadline: UInt64?, _ told: (Int32, ReadinessChange) -> Void) {
      let isDue = deadline.map { $0 <= DispatchTime.uptime } ?? false
      if let deadline, !isDue, deadline != armed { arm(deadline) }
      let count = epoll_wait(queue, &found, Int32(found.count), isDue ? 0 : -1)
      guard count > 0 else { return }
      for event in found[..<Int(count)] {
        let socket = event.data.fd
        if socket == bell || socket == timer {
          if socket == timer { armed = 0 }
          continue
        }
        var change: ReadinessChange = []
        let broken = EPOLLERR.rawValue | EPOLLHUP.rawValue
        if event.events & (EPOLLIN.rawValue | EPOLLRDHUP.rawValue | broken) != 0 { change.insert(.reading) }
        if event.events & (EPOLLOUT.rawValue | broken) != 0 { change.insert(.writing) }
        told(socket, change)
      }
    }

    func wake() { _ = eventfd_write(bell, 1) }

    private func arm(_ deadline: UInt64) {
      armed = deadline
      var setting = itimerspec()
      setting.it_value.tv_sec = Int(deadline / 1_000_000_000)
      setting.it_value.tv_nsec = Int(deadline % 1_000_000_000)
      _ = timerfd_settime(timer, Int32(TFD_TIMER_ABSTIME), &setting, nil)
    }
  }
#endif

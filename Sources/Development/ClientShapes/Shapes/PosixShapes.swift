// Darwin has no timed wait for unnamed semaphores, and its `pthread_t` is a pointer.
#if os(Linux)
  import Foundation
  import FoundationNetworking

  final class PthreadBox {
    var mutex = pthread_mutex_t()
    var condition = pthread_cond_t()
    var size: Int?
    let work: (PthreadBox) -> Void
    init(_ work: @escaping (PthreadBox) -> Void) {
      self.work = work
      pthread_mutex_init(&mutex, nil)
      pthread_cond_init(&condition, nil)
    }
  }

  let posixShapes: [ClientShape] = [
    ClientShape("pthreadCondition") { s in
      await waiting { done in
        let box = PthreadBox { box in
          var start = timespec()
          clock_gettime(CLOCK_MONOTONIC, &start)
          s.session.dataTask(with: request(s.base.appendingPathComponent("slow"))) { data, _, _ in
            pthread_mutex_lock(&box.mutex)
            box.size = data?.count ?? -1
            pthread_cond_signal(&box.condition)
            pthread_mutex_unlock(&box.mutex)
          }.resume()
          var timeouts = 0
          pthread_mutex_lock(&box.mutex)
          while box.size == nil {
            var limit = timespec()
            clock_gettime(CLOCK_REALTIME, &limit)
            limit.tv_sec += 3
            if pthread_cond_timedwait(&box.condition, &box.mutex, &limit) == ETIMEDOUT { timeouts += 1 }
          }
          pthread_mutex_unlock(&box.mutex)
          var end = timespec()
          clock_gettime(CLOCK_MONOTONIC, &end)
          let took = Double(end.tv_sec - start.tv_sec) * 1000 + Double(end.tv_nsec - start.tv_nsec) / 1e6
          done("\(box.size!) after \(timeouts) timeouts, \(Int(took.rounded())) ms")
        }
        var thread = pthread_t()
        pthread_create(
          &thread, nil,
          { pointer in
            let box = Unmanaged<PthreadBox>.fromOpaque(pointer!).takeRetainedValue()
            box.work(box)
            return nil
          }, Unmanaged.passRetained(box).toOpaque())
        pthread_detach(thread)
      }
    },
    ClientShape("posixSemaphore", expected: ["2 timeouts", "slept 1250 ms"]) { s in
      await waiting { done in
        Thread.detachNewThread {
          let start = Date()
          var pause = timeval(tv_sec: 1, tv_usec: 250_000)
          select(0, nil, nil, nil, &pause)
          let slept = ms(start)
          let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
          defer { semaphore.deallocate() }
          sem_init(semaphore, 0, 0)
          var size = 0
          func ask(_ name: String) {
            s.session.dataTask(with: request(s.base.appendingPathComponent(name))) { data, _, _ in
              size += data?.count ?? -1
              sem_post(semaphore)
            }.resume()
          }
          ask("items/2")
          sem_wait(semaphore)
          ask("slow")
          var timeouts = 0
          var limit = timespec()
          repeat {
            timespec_get(&limit, TIME_UTC)
            limit.tv_sec += 3
            if sem_timedwait(semaphore, &limit) == 0 { break }
            timeouts += 1
          } while errno == ETIMEDOUT
          done("\(size) after \(timeouts) timeouts, slept \(slept) ms, \(ms(start)) ms")
        }
      }
    },
  ]
#else
  let posixShapes: [ClientShape] = []
#endif

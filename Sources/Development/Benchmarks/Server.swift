import Foundation
import LoopbackServer

/// Serves bodies of any size on the loopback interface until the process is ended.
func serve() async throws {
  let server = try LoopbackServer()
  print(server.url("/").absoluteString)
  fflush(nil)
  try await Task.sleep(for: .seconds(600))
  server.stop()
}

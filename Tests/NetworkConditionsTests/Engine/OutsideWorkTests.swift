import Testing

@testable import NetworkConditions

struct OutsideWorkTests {
  @Test func `time stands still while a real or a simulated server works`() {
    var work = OutsideWork()
    work.change(.done, to: .working)
    #expect(!work.isNone)
    #expect(work.realServers == 0)
    work.change(.working, to: .outside)
    #expect(!work.isNone)
    #expect(work.realServers == 1)
    work.change(.outside, to: .waiting)
    #expect(work.isNone)
    #expect(work.realServers == 0)
  }

  @Test func `time stands still while a client reads its upload or has not taken its output`() {
    var work = OutsideWork()
    work.openUploads = 1
    #expect(!work.isNone)
    (work.openUploads, work.toldClients) = (0, 1)
    #expect(!work.isNone)
    work.toldClients = 0
    #expect(work.isNone)
  }
}

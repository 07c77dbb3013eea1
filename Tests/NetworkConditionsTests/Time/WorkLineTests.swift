import Testing

@testable import NetworkConditions

@Suite struct WorkLineTests {
  @Test func `a line of work ends once and takes no work afterwards`() {
    let line = WorkLine()
    #expect(line.append(.call {}) && line.isOpen)
    #expect(line.close()?.count == 1)
    #expect(line.close() == nil && !line.isOpen)
    #expect(!line.append(.call {}))
  }
}

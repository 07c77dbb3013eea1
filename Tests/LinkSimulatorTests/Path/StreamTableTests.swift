import Testing

@testable import LinkSimulator

struct StreamTableTests {
  @Test func `a handle does not find a later stream in the same slot`() {
    var table = StreamTable()
    let request = StreamRequest(key: 1, host: "a.example", port: 80)
    let slot = table.add(request, pool: 0)
    let handle = table.handle(slot)
    #expect(table.slot(of: handle, in: .pending) == slot)
    table.remove(slot)
    #expect(table.add(request, pool: 0) == slot)
    #expect(table.slot(of: handle, in: .pending) == nil)
  }
}

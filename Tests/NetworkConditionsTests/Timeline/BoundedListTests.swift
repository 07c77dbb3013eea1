import Testing

@testable import NetworkConditions

struct BoundedListTests {
  @Test func `a bounded list below its limit keeps all elements in order`() {
    var list = BoundedList<Int>(limit: 10_000)
    for number in 0..<9_000 { list.append(number) }
    #expect(list.all == Array(0..<9_000))
    #expect(list.count == 9_000)
    #expect(list.dropped == 0)
  }

  @Test(arguments: [1, 1_000, 1_024, 5_000, 10_240])
  func `a bounded list above its limit drops and counts the oldest elements`(limit: Int) {
    var list = BoundedList<Int>(limit: limit)
    for number in 0..<50_000 {
      list.append(number)
      if number % 997 == 0 { #expect(list.count <= max(limit, 1_024)) }
    }
    #expect(list.count + list.dropped == 50_000)
    #expect(list.all == Array(list.dropped..<50_000))
    #expect(list.count > 0)
  }

  @Test func `a bounded list drops no element before it exceeds its limit`() {
    var list = BoundedList<Int>(limit: 4_096)
    for number in 0..<4_096 { list.append(number) }
    #expect(list.dropped == 0 && list.count == 4_096)
    list.append(4_096)
    #expect(list.dropped == 1_024 && list.count == 3_073 && list.all == Array(1_024...4_096))
  }
}

import Testing

@testable import NetworkConditions

struct BytePositionTests {
  @Test func `a byte position up to the message's length is within the message`() {
    #expect(BytePosition.bytes(9).isWithin(10) && BytePosition.bytes(10).isWithin(10))
    #expect(!BytePosition.bytes(11).isWithin(10) && !BytePosition.bytes(1).isWithin(0))
    #expect(BytePosition.bytes(11).isWithin(nil) && BytePosition.anywhere.isWithin(0))
  }
}

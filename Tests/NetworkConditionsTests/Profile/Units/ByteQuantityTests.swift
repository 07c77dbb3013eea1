import Testing

@testable import NetworkConditions

struct ByteQuantityTests {
  @Test(
    arguments: [
      (0, "0 bytes"), (1, "1 byte"), (1_000, "1000 bytes"), (1_023, "1023 bytes"), (1_024, "1 KiB"),
      (1_025, "1025 bytes"),
      (2_000, "2000 bytes"), (65_536, "64 KiB"), (1_048_576, "1 MiB"), (1_049_600, "1025 KiB"),
    ] as [(Int64, String)])
  func `a number of bytes is written in the largest unit without a fraction`(bytes: Int64, text: String) {
    #expect(ByteQuantity.bytes(bytes).description == text)
  }
}

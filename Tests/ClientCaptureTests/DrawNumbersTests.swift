import Testing

@testable import ClientCapture

struct DrawNumbersTests {
  @Test func `choices are numbered anew at each instant, and draws are numbered through the whole run`() {
    var numbers = DrawNumbers()
    #expect([5, 5, 5, 7, 7].map { numbers.nextChoice(at: $0) } == [0, 1, 2, 0, 1])
    #expect([numbers.nextDraw(), numbers.nextDraw()] == [1, 2])
    #expect(numbers.nextChoice(at: 7) == 2)
    #expect(numbers.nextDraw() == 3)
  }
}

#if canImport(FoundationNetworking)
  import Testing

  @testable import NetworkConditions

  struct FoundationPropertyTests {
    private final class Value {}
    private class First {
      let number = 7
      let value = Value()
    }
    private final class Second: First {}
    private final class Third {
      let value = Value()
    }
    private final class Other {
      let numbers = (1, 2, 3)
    }

    @Test func `a private Foundation property is found in each class that has it, and in no other`() {
      let property = FoundationProperty("value")
      let (first, second, third) = (First(), Second(), Third())
      for _ in 0..<3 {
        #expect(property.read(from: first) as AnyObject? === first.value)
        #expect(property.read(from: second) as AnyObject? === second.value)
        #expect(property.read(from: third) as AnyObject? === third.value)
        #expect(property.read(from: Other()) == nil)
      }
    }

    @Test func `a number property is read with the same value each time`() {
      let property = FoundationProperty("number")
      for _ in 0..<2 { #expect(property.read(from: First()) as? Int == 7) }
    }
  }
#endif

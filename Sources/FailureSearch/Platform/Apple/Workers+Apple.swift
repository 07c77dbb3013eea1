#if !os(Linux)
  import Foundation

  extension FailureSearch.Workers {
    /// The program that workers are started from: this one.
    static var program: URL? { Bundle.main.executableURL }
    /// Whether the program of a test can be started again, to run that test alone: here it is Xcode that runs tests.
    package static let canRunTests = false
  }
#endif

#if os(Linux)
  import Foundation

  extension FailureSearch.Workers {
    /// The program that workers are started from: this one.
    static var program: URL? { URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath() }
    /// Whether the program of a test can be started again, to run that test alone.
    package static let canRunTests = true
  }
#endif

#if os(Linux)
  import Foundation

  extension FailureSearch.Workers {
    static var program: URL? { URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath() }
    package static let canRunTests = true
  }

  enum ProcessMemory {
    static func bytes(of process: Int32) -> Int64 {
      guard let text = try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8),
        let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int64($0) })
      else { return 0 }
      return pages * Int64(getpagesize())
    }
  }
#endif

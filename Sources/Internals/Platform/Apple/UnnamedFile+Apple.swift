#if canImport(Darwin)
  import Foundation

  /// A file without a name, which Apple's systems do not support.
  enum UnnamedFile {
    static func open(in folder: String, _ mode: mode_t) -> Int32 { -1 }
    static func name(_ descriptor: Int32, _ path: String) -> Bool { false }
  }
#endif

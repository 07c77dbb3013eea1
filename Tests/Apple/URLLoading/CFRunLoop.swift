// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

/// Core Foundation's type, which is only a string in the toolchain on Linux.
public struct CFRunLoopMode: @unchecked Sendable {
  public let rawValue: CFString
  public init(rawValue: CFString) { self.rawValue = rawValue }
  /// Implicitly unwrapped, since the header declares no nullability:
  /// <https://developer.apple.com/documentation/corefoundation/cfrunloopmode/defaultmode>
  public static let defaultMode: CFRunLoopMode! = CFRunLoopMode(rawValue: kCFRunLoopDefaultMode)
}

/// <https://developer.apple.com/documentation/corefoundation/cfrunloopcopycurrentmode(_:)>
public func CFRunLoopCopyCurrentMode(_ loop: CFRunLoop!) -> CFRunLoopMode! {
  CoreFoundation.CFRunLoopCopyCurrentMode(loop).map { CFRunLoopMode(rawValue: $0) }
}

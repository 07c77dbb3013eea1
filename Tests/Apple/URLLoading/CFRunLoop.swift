// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

/// Core Foundation's type of a mode; the toolchain on Linux has only a string for it.
///
/// <https://developer.apple.com/documentation/corefoundation/cfrunloopmode>
public struct CFRunLoopMode: @unchecked Sendable {
  public let rawValue: CFString
  public init(rawValue: CFString) { self.rawValue = rawValue }
  /// An optional, because the header has no nullability:
  /// <https://developer.apple.com/documentation/corefoundation/cfrunloopmode/defaultmode>
  public static let defaultMode: CFRunLoopMode! = CFRunLoopMode(rawValue: kCFRunLoopDefaultMode)
}

/// <https://developer.apple.com/documentation/corefoundation/cfrunloopcopycurrentmode(_:)>
public func CFRunLoopCopyCurrentMode(_ loop: CFRunLoop!) -> CFRunLoopMode! {
  CoreFoundation.CFRunLoopCopyCurrentMode(loop).map { CFRunLoopMode(rawValue: $0) }
}

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

/// Core Foundation's own type, which the toolchain on Linux has as a string alone.
///
/// <https://developer.apple.com/documentation/corefoundation/cfrunloopmode>
public struct CFRunLoopMode: @unchecked Sendable {
  public let rawValue: CFString
  public init(rawValue: CFString) { self.rawValue = rawValue }
  /// An optional, since the header says nothing of it:
  /// <https://developer.apple.com/documentation/corefoundation/cfrunloopmode/defaultmode>
  public static let defaultMode: CFRunLoopMode! = CFRunLoopMode(rawValue: kCFRunLoopDefaultMode)
}

/// <https://developer.apple.com/documentation/corefoundation/cfrunloopcopycurrentmode(_:)>
public func CFRunLoopCopyCurrentMode(_ loop: CFRunLoop!) -> CFRunLoopMode! {
  CoreFoundation.CFRunLoopCopyCurrentMode(loop).map { CFRunLoopMode(rawValue: $0) }
}

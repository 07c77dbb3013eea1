import NetworkConditions

/// Reads the cause of a request, as Chrome writes it: `{"type": "parser", "url": ...}`, or a script's call stack.
enum Initiator {
  /// Reads the URL that caused the request, or `nil`; all other values are skipped.
  static func url(_ cursor: inout JSONCursor) throws(ProfileError) -> String? {
    var copy = cursor
    try cursor.skip()
    return try? read(&copy)
  }

  private static func read(_ cursor: inout JSONCursor) throws(ProfileError) -> String? {
    var url: String?
    try cursor.object("the initiator of a request") { (cursor, key) throws(ProfileError) in
      switch key {
      case "url": url = try cursor.string("a URL")
      case "stack":
        let caller = try caller(&cursor)
        url = url ?? caller
      default: try cursor.skip()
      }
    }
    return url?.isEmpty == true ? nil : url
  }

  /// Reads the URL of the innermost call that has one, or else of an asynchronous parent.
  private static func caller(_ cursor: inout JSONCursor) throws(ProfileError) -> String? {
    var url: String?
    var outer: String?
    try cursor.object("a stack") { (cursor, key) throws(ProfileError) in
      switch key {
      case "callFrames":
        let calls = try cursor.list("the calls") { (cursor) throws(ProfileError) in
          var call = ""
          try cursor.object("a call") { (cursor, key) throws(ProfileError) in
            if key == "url" { call = try cursor.string("a URL") } else { try cursor.skip() }
          }
          return call
        }
        url = calls.first { !$0.isEmpty }
      case "parent": outer = try caller(&cursor)
      default: try cursor.skip()
      }
    }
    return url ?? outer
  }
}

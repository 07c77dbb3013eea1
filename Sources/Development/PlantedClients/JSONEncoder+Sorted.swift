import Foundation

extension JSONEncoder {
  /// Writes the same text for the same value.
  static var sorted: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return encoder
  }
}

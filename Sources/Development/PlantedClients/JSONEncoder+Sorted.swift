import Foundation

extension JSONEncoder {
  /// Encodes equal values as equal text.
  static var sorted: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return encoder
  }
}

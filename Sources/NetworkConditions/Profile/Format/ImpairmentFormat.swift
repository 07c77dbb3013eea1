import LinkSimulator

/// Impairments read and write their settings in a profile's JSON.
extension FormatReader: SettingReader {
  package var shown: String { value.shown }
  package var word: String? { if case .string(let text) = value { text } else { nil } }
  package var bareNumber: Double? { if case .number(let text) = value { Double(text) } else { nil } }
  package var isObject: Bool { if case .object = value { true } else { false } }
}

extension FormatObject: SettingObject {}

extension JSONValue {
  init(_ setting: Setting) {
    switch setting {
    case .word(let text): self = .string(text)
    case .probability(let probability): self = .string(probability.formatText)
    case .duration(let duration): self = .string(duration.formatText)
    case .number(let number): self = .number("\(number)")
    case .members(let members): self = .object(members.map { Member($0.key, JSONValue($0.value)) })
    }
  }
}

import Foundation
import Internals

/// One kind of part in a plan: its name, its parameters, and the policy it makes.
struct PolicyPart: Sendable {
  enum Value: Hashable, Sendable {
    case time(Duration)
    case count(Int)
    /// A word instead of a number: any, none, ignored; empty if the plan must give a value.
    case word(String)
    /// A factor in thousandths; integers make equality exact.
    case thousandths(Int)
    /// A share in thousandths of a per cent, so that 20 % is 20,000.
    case share(Int)
    case perSecond(Int)
    case backoff(from: Duration, to: Duration, by: Int)
    case tokens(Int, Int)
    /// A percentile in thousandths.
    case percentile(Int)
    case limit(Int, Int)
    case sharing(StateSharing)

    var text: String {
      switch self {
      case .time(let time): Self.text(time)
      case .count(let count): "\(count)"
      case .word(let word): word
      case .thousandths(let value): "\(Self.decimal(value))"
      case .share(let value): "\(Self.decimal(value)) %"
      case .perSecond(let count): "\(count)/s"
      case .backoff(let low, let high, let factor): "\(Self.text(low))..\(Self.text(high)) x\(Self.decimal(factor))"
      case .tokens(let tokens, let ratio): "\(tokens)/\(Self.decimal(ratio))"
      case .percentile(let value): "p\(Self.decimal(value))"
      case .limit(let least, let most): least == most ? "\(most)" : "\(least)..\(most)"
      case .sharing(.process(let clients)): "by \(clients)"
      case .sharing: ""
      }
    }

    private static func decimal(_ thousandths: Int) -> Decimal { Decimal(thousandths) / 1_000 }

    private static func text(_ time: Duration) -> String {
      let count = time.wholeNanoseconds
      for unit in PolicyReader.units where count % unit.nanoseconds == 0 && count > 0 {
        return "\(count / unit.nanoseconds) \(unit.name)"
      }
      return "0 s"
    }
  }

  /// The type of a parameter, with its allowed values.
  enum Form: Sendable {
    case time, window, attempts(ClosedRange<Int>), count(ClosedRange<Int>), factor, share, failureRate, backoff, tokens,
      perSecond
    case sharing, retryAfter, hedge, slow, limit

    /// The allowed values in words, for error messages.
    var example: String {
      switch self {
      case .time: "a time; write for example 500 ms"
      case .window: "a time from 1 s to 60 s"
      case .attempts(let range): "a number of attempts from \(range.lowerBound) to \(range.upperBound)"
      case .count(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
      case .factor: "a factor from 1 to 1000; write for example 1.6"
      case .share: "a share, 0 or from 0.1 to 1000 per cent; write for example 20 %"
      case .failureRate: "a share from 0.1 to 100 per cent; write for example 50 %"
      case .backoff: "a backoff; write for example 1 s..5 s x1.6"
      case .tokens: "tokens and what a success adds; write for example 10/0.1, or none"
      case .perSecond: "a number per second; write for example 10/s"
      case .sharing: "a number of clients; write for example shared by 50, or only shared, by all"
      case .hedge: "a time or a percentile; write for example 500 ms or p95"
      case .limit: "a number from 1 to 100000, or two between which it adapts; write for example 10 or 20..200"
      case .slow: "a time above 0, or never; write for example 2 s"
      case .retryAfter: "the longest Retry-After to wait for, or ignored; write for example 60 s"
      }
    }
  }

  struct Parameter: Sendable {
    let name: String
    let form: Form
    let usual: Value
    var isBare = false
  }

  let name: String
  let summary: String
  let parameters: [Parameter]
  /// Makes the policy from the policy that it wraps and the values, in the order of the parameters.
  let make: @Sendable (any RetryPolicy, [Value], StateHome) -> any RetryPolicy
}

extension [PolicyPart.Value] {
  func time(_ index: Int) -> Duration {
    if case .time(let time) = self[index] { time } else { .zero }
  }

  func count(_ index: Int) -> Int? {
    switch self[index] {
    case .count(let count), .perSecond(let count): count
    default: nil
    }
  }

  func thousandths(_ index: Int) -> Int {
    switch self[index] {
    case .thousandths(let value), .share(let value): value
    default: 0
    }
  }

  func factor(_ index: Int) -> Double { Double(thousandths(index)) / 1_000 }

  /// The hedge delay for the value at this index: a time or a percentile.
  func hedge(_ index: Int, _ home: StateHome) -> HedgedPolicy.Delay {
    guard case .percentile(let value) = self[index] else { return .time(time(index)) }
    return .percentile(home.state { LatencyPercentile(Double(value) / 1_000) })
  }

  var sharing: StateSharing {
    for case .sharing(let sharing) in self { return sharing }
    return .client
  }

  /// The throttle of a value such as `10/0.1`; `nil` for `none`.
  func throttle(_ index: Int) -> RetryThrottle? {
    guard case .tokens(let tokens, let ratio) = self[index] else { return nil }
    return RetryThrottle(maximumTokens: tokens, tokenRatio: Double(ratio) / 1_000)
  }
}

extension PolicyPart.Parameter {
  static func attempts(_ usual: Int, in range: ClosedRange<Int> = 1...1_000) -> Self {
    Self(name: "attempts", form: .attempts(range), usual: .count(usual))
  }

  static func time(_ name: String, _ usual: Duration) -> Self { Self(name: name, form: .time, usual: .time(usual)) }

  /// A parameter that a plan gives by position, and must give.
  static func needed(_ name: String, _ form: PolicyPart.Form) -> Self {
    Self(name: name, form: form, usual: .word(""), isBare: true)
  }

  static let throttle = Self(name: "throttle", form: .tokens, usual: .tokens(10, 100))
  static let shared = Self(name: "shared", form: .sharing, usual: .sharing(.client))
  /// The parameters of an exponential backoff.
  static let curve: [Self] = [
    .time("base", .milliseconds(100)), Self(name: "factor", form: .factor, usual: .thousandths(2_000)),
    .time("cap", .seconds(20)), .attempts(3),
  ]
}

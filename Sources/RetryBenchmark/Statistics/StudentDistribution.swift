import Foundation

/// Student's t distribution: how far a mean strays when its deviation is itself estimated.
///
/// Source: "Student", "The probable error of a mean", 1908.
enum StudentDistribution {
  /// The probability of a value beyond `t` or `-t`, by the incomplete beta function.
  static func bothTails(_ t: Double, freedom: Double) -> Double {
    guard t.isFinite else { return 0 }
    return incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5)
  }

  /// How many standard errors around the mean hold this share: 1.98 for 0.95 and 100 degrees of freedom.
  static func deviations(confidence: Double, freedom: Double) -> Double {
    precondition(confidence > 0 && confidence < 1 && freedom > 0, "a confidence strictly between 0 and 1")
    // Beyond that it equals the normal distribution to the fourth digit.
    if freedom > 20_000 { return NormalDistribution.deviations(confidence: confidence) }
    // The tails are convex and thicker than the normal ones, so Newton's steps rise towards the result and never pass
    // it.
    var deviations = NormalDistribution.deviations(confidence: confidence)
    let scale: Double = lgamma((freedom + 1) / 2) - lgamma(freedom / 2)
    let peak: Double = exp(scale) / (freedom * Double.pi).squareRoot()
    for _ in 0..<200 {
      let density = peak * pow(1 + deviations * deviations / freedom, -(freedom + 1) / 2)
      let step = (bothTails(deviations, freedom: freedom) - (1 - confidence)) / (2 * density)
      deviations += step
      if abs(step) <= 1e-12 * deviations { break }
    }
    return deviations
  }

  /// The regularised incomplete beta function, by Lentz's continued fraction ("Numerical Recipes", Press et al., 6.4).
  static func incompleteBeta(_ x: Double, _ a: Double, _ b: Double) -> Double {
    if x <= 0 || x >= 1 { return x <= 0 ? 0 : 1 }
    if x > (a + 1) / (a + b + 2) { return 1 - incompleteBeta(1 - x, b, a) }
    let scale: Double = lgamma(a + b) - lgamma(a) - lgamma(b)
    let powers: Double = a * log(x) + b * log(1 - x)
    let front = exp(scale + powers) / a
    var c = 1.0
    var d: Double = 1 / (1 - (a + b) * x / (a + 1))
    var fraction = d
    for step in 1..<300 {
      let m = Double(step)
      let place = a + 2 * m
      let even: Double = m * (b - m) * x / ((place - 1) * place)
      let odd: Double = -(a + m) * (a + b + m) * x / (place * (place + 1))
      (d, c) = (1 / (1 + even * d), 1 + even / c)
      fraction *= c * d
      (d, c) = (1 / (1 + odd * d), 1 + odd / c)
      fraction *= c * d
      if abs(c * d - 1) < 1e-14 { break }
    }
    return front * fraction
  }
}

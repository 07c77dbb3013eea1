/// Places in an ordered sample.
enum Rank {
  /// The nearest rank of a quantile, counted from 1: the least place that at least this share of a sample do not pass.
  static func nearest(_ share: Double, of count: Int) -> Int {
    precondition((0...1).contains(share), "a quantile is from 0 to 1")
    return max(1, min(count, Int((share * Double(count)).rounded(.up))))
  }
}

/// Narrows the stretch in which something that holds at one end, and not at the other, ceases to hold.
///
/// - Parameter steps: how often the stretch is halved: 60 times leave nothing of one as long as 1 that is not rounded away.
func bisected(
  from inside: Double, to outside: Double, steps: Int = 60, while holds: (Double) -> Bool
) -> (inside: Double, outside: Double) {
  var (inside, outside) = (inside, outside)
  for _ in 0..<steps {
    let middle = (inside + outside) / 2
    if holds(middle) { inside = middle } else { outside = middle }
  }
  return (inside, outside)
}

/// Narrows the interval in which a condition that holds at `inside`, and fails at `outside`, stops holding.
///
/// - Parameter steps: the number of halvings; 60 narrow an interval of length 1 to the precision of a `Double`.
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

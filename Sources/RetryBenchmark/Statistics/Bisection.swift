/// Narrows the interval in which a condition stops holding; 60 halvings give a `Double`'s precision.
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

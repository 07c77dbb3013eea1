import LinkSimulator
import NetworkConditions

extension PointList {
  mutating func listKills() {
    guard has(.kill), !timeline.lives.isEmpty else { return }
    for (middle, moment) in gaps where timeline.lives.contains(where: { $0.contains(moment) }) {
      let (turn, phases) = position(at: moment)
      let changes = timeline.fileChanges.count { $0 <= moment }
      add(.kill, .kill, at: middle, moment, as: key(.kill(phases, changes: changes), turn, at: moment))
    }
    for (index, time) in timeline.fileChanges.enumerated() {
      let number = index + 1
      add(
        .killAfterFileChange, .kill, at: Int64(number), time,
        as: key(.killAfterFileChange(number), position(at: time).turn, at: time))
    }
  }
}

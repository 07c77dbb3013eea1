import LinkSimulator
import NetworkConditions

extension PointList {
  /// Lists kills of launched clients, and power losses where unsynchronised data would be lost.
  mutating func listKills() {
    let lives = timeline.details.lives
    guard !lives.isEmpty else { return }
    let changes = timeline.details.fileEvents.filter(\.isChange)
    for (middle, moment) in gaps where lives.contains(where: { $0.contains(moment) }) {
      let (turn, phases) = position(at: moment)
      let last = timeline.details.fileEvents.last { $0.time <= moment }
      let count = changes.count { $0.time <= moment }
      for (kind, losingPower) in deaths(losing: last?.isUnsynchronised ?? false) {
        add(
          ScheduledFault(losingPower ? .powerLoss(.at(.zero)) : .kill(.at(.zero))), kind, at: middle, moment,
          as: key(.kill(phases, changes: count, losingPower: losingPower), turn, at: moment))
      }
    }
    for (number, change) in zip(Int64(1)..., changes) {
      for (kind, losingPower) in deaths(losing: change.isUnsynchronised) {
        add(
          ScheduledFault(losingPower ? .powerLoss(.afterFileChange(0)) : .kill(.afterFileChange(0))), kind, at: number,
          change.time,
          as: key(
            .killAfterFileChange(Int(number), losingPower: losingPower), position(at: change.time).turn,
            at: change.time))
      }
    }
  }

  private func deaths(losing isUnsynchronised: Bool) -> [(FaultKinds.Kind, Bool)] {
    (has(.kill) ? [(.kill, false)] : []) + (has(.powerLoss) && isUnsynchronised ? [(.powerLoss, true)] : [])
  }
}

import Internals
import NetworkConditions

/// One level of an exploration: its points in classes, the runs made so far, and the points to run next.
struct ExplorationLevel: Sendable {
  struct Node: Sendable {
    var path: [Int] = []
    var faults: [PointClass.Member] = []
    /// Each fault's effect and transfer, without its place.
    var effects: [PointClass.Key] = []
    let list: PointList
  }

  struct Item: Sendable {
    let node: Int
    let number: Int
    let points: Int
    /// How many points the classes before this one have together.
    var start = 0
    /// Whether the points lie at different places of a text that the client reads; `false` after a first fault.
    let isRead: Bool
    /// The index of the first class with the same transfer and effect; a boundary found in one such class is tried in
    /// the others.
    var family = 0
    /// The index of the class of resets at the same places; a close or a silence there leaves the client with the same
    /// data.
    var losses: Int?

    /// The point that represents its class: the first if ``isRead``, otherwise the middle one.
    var representative: Int { isRead ? 0 : points / 2 }
  }

  struct Point: Hashable, Sendable {
    let item: Int
    let member: Int
  }

  let nodes: [Node]
  let items: [Item]
  let isWhole: Bool
  /// How many faults each run has before this level adds one.
  var depth: Int { nodes[0].faults.count }
  var runs: [Int: [Int: ExploredRun]] = [:]

  init(_ nodes: [Node], _ reduction: FaultExploration.Reduction) {
    self.nodes = nodes
    var items = nodes.enumerated().flatMap { index, node in
      node.list.classes.enumerated().map { number, points in
        Item(
          node: index, number: number, points: points.count,
          isRead: node.faults.isEmpty && points.key.place != .any)
      }
    }
    struct Family: Hashable {
      let node: Int
      let effect: PointClass.Key
    }
    var families: [Family: Int] = [:]
    var numbers: [PointClass.Key: Int] = [:]
    for index in items.indices {
      if index > 0 { items[index].start = items[index - 1].start + items[index - 1].points }
      let item = items[index]
      let key = nodes[item.node].list.classes[item.number].key
      let loss = item.isRead ? key.loss : nil
      items[index].losses = loss.flatMap { numbers[$0] }
      if item.isRead { numbers[key] = index }
      let effect = loss?.effect ?? key.effect
      let family = Family(node: item.node, effect: PointClass.Key(transfer: key.transfer, effect: effect))
      items[index].family = families[family, default: index]
      families[family] = items[index].family
    }
    self.items = items
    isWhole = reduction.runsEach(of: items.reduce(0) { $0 + $1.points })
  }

  func points(_ item: Int) -> PointClass { nodes[items[item].node].list.classes[items[item].number] }

  func faults(_ point: Point) -> [PointClass.Member] {
    nodes[items[point.item].node].faults + [points(point.item)[point.member]]
  }

  func place(_ point: Point) -> [Int] {
    nodes[items[point.item].node].path + [items[point.item].number, point.member]
  }

  func effects(_ point: Point) -> [PointClass.Key] {
    let key = points(point.item).key
    return nodes[items[point.item].node].effects + [PointClass.Key(transfer: key.transfer, effect: key.effect)]
  }

  /// The points of a class that were run so far, in ascending order, with their runs.
  func known(_ item: Int) -> [(member: Int, run: ExploredRun)] {
    runs[item, default: [:]].sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The points to run next, to find where one behaviour of a class ends and another begins.
  ///
  /// Two neighbouring runs that differ have a boundary between them. The point in the middle is run next. If a class of
  /// the same family has its boundary there, the point at that place is run instead.
  func between(_ items: [Int]) -> [Point] {
    var ends: [Int: [Range<Int64>]] = [:]
    var open: [(item: Int, pair: Range<Int>, places: Range<Int64>?)] = []
    for item in items where runs[item, default: [:]].count > 1 {
      let (known, points) = (known(item), points(item))
      for (one, other) in zip(known, known.dropFirst()) where one.run.behaviour != other.run.behaviour {
        let places = points.places(from: one.member, to: other.member)
        if other.member - one.member > 1 {
          open.append((item, one.member..<other.member, places))
        } else if let places {
          ends[self.items[item].family, default: []].append(places)
        }
      }
    }
    var isSought: Set<Int> = []
    return open.compactMap { item, pair, places in
      let middle = Point(item: item, member: (pair.lowerBound + pair.upperBound) / 2)
      guard let places else { return middle }
      let family = self.items[item].family
      let within = ends[family, default: []].filter {
        places.contains($0.lowerBound) && $0.upperBound <= places.upperBound
      }
      // The narrowest known boundary tells most.
      guard let end = within.min(by: { $0.count < $1.count }) else {
        return isSought.insert(family).inserted ? middle : nil
      }
      let points = points(item)
      if let first = pair.dropFirst().first(where: { points.place(of: $0) >= end.upperBound }) {
        return Point(item: item, member: first)
      }
      // Both sides of the boundary were run: only points within it are left.
      let midst = pair.dropFirst().filter { points.place(of: $0) > end.lowerBound }
      return midst.isEmpty ? nil : Point(item: item, member: midst[midst.count / 2])
    }
  }

  /// The last points of classes that were assumed to behave like a class of resets, if that class mixes behaviours.
  func ends(_ items: [Int]) -> [Point] {
    items.compactMap { item in
      let last = self.items[item].points - 1
      guard let losses = self.items[item].losses, runs[item]?[last] == nil, stretches(losses).count > 1 else {
        return nil
      }
      return Point(item: item, member: last)
    }
  }

  /// Splits a class into ranges of points with equal behaviour, each with the first run in that range.
  func stretches(_ item: Int) -> [(range: Range<Int>, run: ExploredRun, member: Int)] {
    var starts: [(start: Int, run: ExploredRun, member: Int)] = []
    for (member, run) in known(item) where starts.last?.run.behaviour != run.behaviour {
      starts.append((starts.isEmpty ? 0 : member, run, member))
    }
    let ends = starts.dropFirst().map(\.start) + [items[item].points]
    return zip(starts, ends).map { ($0.start..<$1, $0.run, $0.member) }
  }

  /// The points to run in addition to the representative: all if ``isWhole``, otherwise a random sample.
  func members(_ index: Int, pointsPerCheck: Int) -> [Point] {
    let item = items[index]
    var members: Set<Int> = []
    if isWhole {
      members.formUnion(0..<item.points)
    } else if item.points > 1, pointsPerCheck > 0 {
      let random = KeyedRandom(seed: 0).keyed(by: "check").keyed(by: UInt64(index))
      let checks = (item.start + item.points) / pointsPerCheck - item.start / pointsPerCheck
      if item.isRead, item.losses == nil { members.insert(item.points - 1) }
      for draw in members.count..<max(members.count, checks) {
        members.insert(Int(random.keyed(by: UInt64(draw)).number(below: Int64(item.points))))
      }
    }
    return members.subtracting([item.representative]).sorted().map { Point(item: index, member: $0) }
  }
}

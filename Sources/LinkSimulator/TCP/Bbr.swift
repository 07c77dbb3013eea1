extension PathConfiguration.CongestionControl {
  /// BBR in its first version (Cardwell et al., "BBR: congestion-based congestion control", ACM Queue 14, 2016).
  public static let bbr = Self(Bbr.self)
}

/// BBR congestion control, version 1, in the integer arithmetic of Linux (net/ipv4/tcp_bbr.c).
///
/// Its model of the path is the highest delivery rate of ten round trips and the smallest round trip of ten seconds. The rate
/// sets the pacing; both together bound the bytes in flight. STARTUP doubles the rate until it stops growing. DRAIN empties
/// the queue that this made. PROBE_BW alternates between a quarter more and less. PROBE_RTT empties the path for 200 ms if
/// ten seconds brought no smaller round trip. Losses matter only during recovery.
///
/// The file is long because the model, the modes and the window share twenty private numbers.
struct Bbr: CongestionAlgorithm {
  static let name = "BBR"
  static let paces = true
  static let setsWindow = true
  static let bufferedWindows: Int64 = 3

  enum Mode: Sendable {
    case startup
    case drain
    case probeBandwidth
    case probeRoundTrip
  }

  /// The fixed-point unit of bandwidths, in segments per microsecond; gains have the unit 256.
  private static let bandwidthUnit: Int64 = 1 << 24
  static let unit: Int64 = 256
  /// The gain 2 / ln 2 doubles the rate in each round trip; `drainGain` is its inverse.
  static let highGain = unit * 2_885 / 1_000 + 1
  static let drainGain = unit * 1_000 / 2_885
  private static let windowGain = 2 * unit
  static let cycle = [unit * 5 / 4, unit * 3 / 4, unit, unit, unit, unit, unit, unit]
  /// The number of phases at which the gain cycle may begin (`bbr_cycle_rand`).
  private static let firstPhases: UInt64 = 7
  private static let leastWindow = 4
  private static let roundTripLife = 10 * TickClock.perSecond
  private static let probeLength = TickClock.perSecond / 5
  /// How many segments at the start are not paced (`tcp_update_skb_after_send`).
  private static let unpaced = 10
  /// The largest burst in bytes (GSO_LEGACY_MAX_SIZE less the headers), and the rate below which one segment suffices.
  private static let greatestBurst: Int64 = 65_215
  private static let smallRate: Int64 = 1_200_000 / 8

  private(set) var mode = Mode.startup
  private var pacingGain = highGain
  private var windowGain = highGain

  // MARK: The model

  private var bandwidths = RunningMaximum(over: 10)
  private var rounds = 0
  private var nextRoundDelivered: Int64 = 0
  private var startsRound = false
  /// The smallest round trip in microseconds; `.max` without a sample.
  private var minimum = Int64.max
  private var minimumTick: Int64 = 0
  private var aggregation = Aggregation()
  private var policer = PolicerEstimate()

  // MARK: The state

  private var fullBandwidth: Int64 = 0
  private var fullRounds = 0
  private var isFull = false
  private var phase = 0
  private var phaseSince: Int64 = 0
  private var probeEnd: Int64?
  private var probeRoundIsOver = false
  private var priorWindow = 0
  private var priorState = Sender.State.open
  private var conserves = false
  private var resumesFromIdle = false
  private var hasSeenRoundTrip = false

  // MARK: Pacing

  /// The pacing rate in bytes per second.
  private(set) var pacingRate: Int64 = 0
  private(set) var departure: Int64 = 0
  private var segmentsSent = 0
  private var random = KeyedRandom(seed: 0)
  private var draws: UInt64 = 0

  mutating func seed(_ random: KeyedRandom) {
    self.random = random
  }

  // MARK: Events

  mutating func connected(roundTrip: Int64, window: Int, tick: Int64, delivered: Int64) {
    minimum = roundTrip > 0 ? roundTrip / 1_000 : .max
    minimumTick = tick
    nextRoundDelivered = delivered
    startPacing(smoothed: max(0, roundTrip), window: window)
  }

  /// The burst size in segments: 2^-10 s at the pacing rate, more for a short round trip; at least 2 unless the path is slow.
  func burst(minimumRoundTrip: Int64) -> Int {
    var bytes = pacingRate >> 10
    if minimumRoundTrip < 32 * 512_000 {
      bytes += Self.greatestBurst >> (minimumRoundTrip / 512_000)
    }
    return max(Int(min(bytes, Self.greatestBurst)) / Packet.maximumPayload, leastBurst)
  }

  private var leastBurst: Int { pacingRate < Self.smallRate ? 1 : 2 }

  mutating func sent(_ bytes: Int, segments: Int, at now: Int64) {
    let prior = departure
    departure = max(prior, now)
    segmentsSent += segments
    guard pacingRate > 0, segmentsSent >= Self.unpaced else { return }
    let length = Int64(bytes) * 1_000_000_000 / pacingRate
    departure += length - min(length / 2, departure - prior)
  }

  mutating func grow(_ window: inout CongestionWindow, by acknowledged: Int, tick: Int64) {}

  /// Keeps the window after a loss, and saves it for the end of the recovery (`bbr_ssthresh`).
  mutating func threshold(after window: CongestionWindow) -> Int {
    saveWindow(window.size)
    return window.threshold
  }

  mutating func timedOut(now: Int64, next: Int, delivered: Int64, lost: Int64) {
    priorState = .loss
    fullBandwidth = 0
    startsRound = true
    samplePolicer(losses: 1, isLimited: false, at: now, delivered: delivered, lost: lost)
  }

  mutating func undo(_ window: inout CongestionWindow, to before: Int) {
    fullBandwidth = 0
    fullRounds = 0
    policer = PolicerEstimate()
  }

  mutating func resume(_ restart: Restart) {
    guard restart.isLimited else { return }
    resumesFromIdle = true
    aggregation.restart(at: restart.now)
    if mode == .probeBandwidth { setPacingRate(gain: Self.unit) }
  }

  /// Updates model, pacing rate and window after an acknowledgement (`bbr_main`).
  mutating func acknowledged(_ sample: DeliverySample, _ window: inout CongestionWindow) {
    updateBandwidth(sample)
    if sample.newly > 0, sample.count >= 0, sample.interval > 0 {
      aggregation.take(
        sample.newly, at: sample.deliveredAt, bandwidth: bandwidth, window: window.size,
        startsRound: startsRound)
    }
    if mode == .probeBandwidth, isPhaseOver(sample) { advancePhase(at: sample.deliveredAt) }
    lookForFullPipe(sample)
    drainIfFull(sample, &window)
    updateMinimum(sample, &window)
    updateGains()
    if !hasSeenRoundTrip, sample.smoothed > 0 {
      startPacing(smoothed: sample.smoothed, window: window.size)
    }
    setPacingRate(gain: pacingGain)
    setWindow(sample, &window)
  }

  /// Whether the flow keeps its bytes in flight low on purpose, so that rates say nothing about the path.
  var limitsItself: Bool { mode == .probeRoundTrip }

  /// The bandwidth in segments per microsecond, times 2^24: the measured one, or a policer's estimated limit.
  private var bandwidth: Int64 { policer.isUsed ? policer.bandwidth : bandwidths.value }

  private mutating func updateBandwidth(_ sample: DeliverySample) {
    startsRound = false
    guard sample.count >= 0, sample.interval > 0 else { return }
    if sample.prior >= nextRoundDelivered {
      nextRoundDelivered = sample.delivered
      rounds += 1
      startsRound = true
      conserves = false
    }
    samplePolicer(
      losses: sample.newlyLost, isLimited: sample.isLimited, at: sample.deliveredAt,
      delivered: sample.delivered,
      lost: sample.lost)
    let measured = sample.count * Self.bandwidthUnit / sample.interval
    if !sample.isLimited || measured >= bandwidths.value {
      bandwidths.take(measured, round: rounds)
    }
  }

  private mutating func samplePolicer(
    losses: Int, isLimited: Bool, at time: Int64, delivered: Int64, lost: Int64
  ) {
    switch policer.sample(
      losses: losses, isLimited: isLimited, startsRound: startsRound,
      isProbing: mode == .probeBandwidth, at: time,
      delivered: delivered, lost: lost)
    {
    case .nothing: break
    case .found: pacingGain = Self.unit
    case .given: enterProbeBandwidth(at: time)
    }
  }

  private mutating func updateMinimum(_ sample: DeliverySample, _ window: inout CongestionWindow) {
    let isExpired = sample.tick > minimumTick + Self.roundTripLife
    if sample.roundTrip >= 0, sample.roundTrip / 1_000 < minimum || isExpired {
      minimum = max(1, sample.roundTrip / 1_000)
      minimumTick = sample.tick
    }
    if isExpired, !resumesFromIdle, mode != .probeRoundTrip {
      mode = .probeRoundTrip
      saveWindow(window.size)
      probeEnd = nil
    }
    if mode == .probeRoundTrip { probeRoundTrip(sample, &window) }
    if sample.count > 0 { resumesFromIdle = false }
  }

  private mutating func probeRoundTrip(_ sample: DeliverySample, _ window: inout CongestionWindow) {
    guard let end = probeEnd else {
      if sample.inFlight <= Self.leastWindow {
        probeEnd = sample.tick + Self.probeLength
        probeRoundIsOver = false
        nextRoundDelivered = sample.delivered
      }
      return
    }
    if startsRound { probeRoundIsOver = true }
    guard probeRoundIsOver, sample.tick > end else { return }
    minimumTick = sample.tick
    window.size = max(window.size, priorWindow)
    if isFull { enterProbeBandwidth(at: sample.deliveredAt) } else { mode = .startup }
  }

  // MARK: The modes

  private mutating func lookForFullPipe(_ sample: DeliverySample) {
    guard !isFull, startsRound, !sample.isLimited else { return }
    if bandwidths.value >= fullBandwidth * 5 / 4 {
      fullBandwidth = bandwidths.value
      fullRounds = 0
      return
    }
    fullRounds += 1
    isFull = fullRounds >= 3
  }

  private mutating func drainIfFull(_ sample: DeliverySample, _ window: inout CongestionWindow) {
    if mode == .startup, isFull {
      mode = .drain
      window.threshold = inFlightTarget(bandwidths.value, gain: Self.unit)
    }
    if mode == .drain,
      inFlightAtDeparture(sample.inFlight, at: sample.now)
        <= inFlightTarget(bandwidths.value, gain: Self.unit)
    {
      enterProbeBandwidth(at: sample.deliveredAt)
    }
  }

  private mutating func enterProbeBandwidth(at time: Int64) {
    mode = .probeBandwidth
    draws += 1
    phase = Self.cycle.count - 1 - Int(random.keyed(by: draws).bits % Self.firstPhases)
    advancePhase(at: time)
  }

  private mutating func advancePhase(at time: Int64) {
    phase = (phase + 1) % Self.cycle.count
    phaseSince = time
  }

  private func isPhaseOver(_ sample: DeliverySample) -> Bool {
    let isLong = (sample.deliveredAt - phaseSince) / 1_000 > minimum
    if pacingGain == Self.unit { return isLong }
    let inFlight = inFlightAtDeparture(sample.priorInFlight, at: sample.now)
    if pacingGain > Self.unit {
      return isLong
        && (sample.newlyLost > 0 || inFlight >= inFlightTarget(bandwidths.value, gain: pacingGain))
    }
    return isLong || inFlight <= inFlightTarget(bandwidths.value, gain: Self.unit)
  }

  private mutating func updateGains() {
    switch mode {
    case .startup: (pacingGain, windowGain) = (Self.highGain, Self.highGain)
    case .drain: (pacingGain, windowGain) = (Self.drainGain, Self.highGain)
    case .probeBandwidth:
      (pacingGain, windowGain) = (policer.isUsed ? Self.unit : Self.cycle[phase], Self.windowGain)
    case .probeRoundTrip: (pacingGain, windowGain) = (Self.unit, Self.unit)
    }
  }

  /// Converts a bandwidth to bytes per second, less one per cent so that no queue remains (`bbr_rate_bytes_per_sec`).
  static func bytesPerSecond(_ bandwidth: Int64, gain: Int64) -> Int64 {
    let rate = (bandwidth * Int64(Packet.maximumPayload) * gain) >> 8
    return Int64(clamping: (Int128(rate) * (1_000_000 / 100 * 99)) >> 24)
  }

  private mutating func startPacing(smoothed: Int64, window: Int) {
    hasSeenRoundTrip = smoothed > 0
    let roundTrip = smoothed > 0 ? max(1, smoothed / 1_000) : 1_000
    pacingRate = Self.bytesPerSecond(
      Int64(window) * Self.bandwidthUnit / roundTrip, gain: Self.highGain)
  }

  private mutating func setPacingRate(gain: Int64) {
    let rate = Self.bytesPerSecond(bandwidth, gain: gain)
    if isFull || rate > pacingRate { pacingRate = rate }
  }

  // MARK: The window

  private mutating func saveWindow(_ size: Int) {
    let isGood = priorState.rawValue < Sender.State.recovery.rawValue && mode != .probeRoundTrip
    priorWindow = isGood ? size : max(priorWindow, size)
  }

  private mutating func setWindow(_ sample: DeliverySample, _ window: inout CongestionWindow) {
    var size = window.size
    if sample.newly > 0, !conserve(sample, &size) {
      var target = product(bandwidth, gain: windowGain)
      if isFull { target += aggregation.allowance(bandwidth: bandwidth) }
      target = quantized(target)
      if isFull {
        size = min(size + sample.newly, target)
      } else if size < target || sample.delivered < CongestionWindow.initial {
        size += sample.newly
      }
      size = max(size, Self.leastWindow)
    }
    window.size = min(size, CongestionWindow.maximum)
    if mode == .probeRoundTrip { window.size = min(window.size, Self.leastWindow) }
  }

  /// In the first round of a recovery, limits sending to what was delivered (`bbr_set_cwnd_to_recover_or_restore`).
  private mutating func conserve(_ sample: DeliverySample, _ size: inout Int) -> Bool {
    if sample.newlyLost > 0 { size = max(size - sample.newlyLost, 1) }
    let recovery = Sender.State.recovery
    if sample.state == recovery, priorState != recovery {
      conserves = true
      nextRoundDelivered = sample.delivered
      size = sample.inFlight + sample.newly
    } else if priorState.rawValue >= recovery.rawValue, sample.state.rawValue < recovery.rawValue {
      size = max(size, priorWindow)
      conserves = false
    }
    priorState = sample.state
    if conserves { size = max(size, sample.inFlight + sample.newly) }
    return conserves
  }

  /// The bandwidth-delay product in segments, for the smallest round trip, times the gain (`bbr_bdp`).
  private func product(_ bandwidth: Int64, gain: Int64) -> Int {
    guard minimum < .max else { return CongestionWindow.initial }
    let exact = (Int128(bandwidth) * Int128(minimum) * Int128(gain)) >> 8
    return Int(clamping: (exact + Int128(Self.bandwidthUnit) - 1) >> 24)
  }

  /// The window plus an allowance for bursts and delayed acknowledgements (`bbr_quantization_budget`).
  private func quantized(_ window: Int) -> Int {
    let even = (window + 3 * burstGoal + 1) & ~1
    return mode == .probeBandwidth && phase == 0 ? even + 2 : even
  }

  private var burstGoal: Int {
    let bytes = min(pacingRate >> 10, Self.greatestBurst)
    return min(max(Int(bytes) / Packet.maximumPayload, leastBurst), 127)
  }

  private func inFlightTarget(_ bandwidth: Int64, gain: Int64) -> Int {
    quantized(product(bandwidth, gain: gain))
  }

  /// How many segments will be in flight when the next one leaves (`bbr_packets_in_net_at_edt`).
  private func inFlightAtDeparture(_ inFlight: Int, at now: Int64) -> Int {
    let wait = max(0, departure - now) / 1_000
    let leaving = Int(clamping: (Int128(bandwidth) * Int128(wait)) >> 24)
    return max(0, inFlight + (pacingGain > Self.unit ? burstGoal : 0) - leaving)
  }
}

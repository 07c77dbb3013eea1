import LinkSimulator
import NetworkConditions
import ProfileFormats
import Testing

struct TrafficControlFormatTests {
  private func imported(_ script: String) throws -> ImportedProfile {
    try #require(try ProfileFormat.tc.profiles(in: FormatDocument(script, file: "shape.sh")).first)
  }

  @Test func `a typical tc script for both directions is read`() throws {
    let result = try imported(
      """
      #!/bin/bash
      DEV=eth0
      sudo tc qdisc del dev $DEV root 2>/dev/null
      sudo tc qdisc add dev $DEV root handle 1: netem delay 50ms loss 1%
      sudo tc qdisc add dev $DEV parent 1:1 handle 10: tbf rate 1mbit burst 32kbit latency 400ms
      modprobe ifb && ip link set dev ifb0 up
      tc qdisc add dev $DEV handle ffff: ingress
      tc filter add dev $DEV parent ffff: protocol ip u32 match u32 0 0 action mirred egress redirect dev ifb0
      tc qdisc add dev ifb0 root handle 1: htb default 10
      tc class add dev ifb0 parent 1: classid 1:10 htb rate 2mbit
      tc qdisc add dev ifb0 parent 1:10 handle 10: netem delay 20ms
      """)
    let path = result.profile.base
    #expect(path.up.rate == .megabitsPerSecond(1))
    #expect(path.up.delay == .milliseconds(50))
    #expect(path.up.loss == .independent(.percent(1)))
    // 400 ms of 1 Mbit/s are 50000 bytes, the burst is 4096: 36 packets of 1500.
    #expect(path.up.queue == 36)
    #expect(path.down.rate == .megabitsPerSecond(2))
    #expect(path.down.delay == .milliseconds(20))
    #expect(result.losses.map(\.subject) == ["tbf latency 400ms", "tbf burst 32kbit"])
  }

  @Test(arguments: [("", true), (" rate 2mbit", false), (" rate 512kbit", false)])
  func `netem's jitter reorders packets in front of a token bucket unless netem has a rate`(
    rate: String, reorders: Bool
  ) throws {
    let script = """
      tc qdisc add dev eth0 root handle 1: netem delay 50ms 5ms\(rate)
      tc qdisc add dev eth0 parent 1:1 tbf rate 1mbit burst 4kb latency 400ms
      """
    #expect(try imported(script).profile.base.up.reorders == reorders)
  }

  /// In the kernel, tbf_graft (net/sched/sch_tbf.c) replaces the bucket's own queue and its limit.
  @Test(arguments: [
    ("rate 10mbit burst 1536b latency 1ms", "", 983), ("rate 100mbit burst 3000b latency 400ms", " limit 1000", 833),
  ])
  func `netem below a token bucket has the queue, and the bucket's own limit does not count`(
    bucket: String, limit: String, queue: Int
  ) throws {
    let script = """
      tc qdisc add dev eth0 root handle 1: tbf \(bucket)
      tc qdisc add dev eth0 parent 1:1 handle 10: netem delay 20ms\(limit)
      """
    let result = try imported(script)
    #expect(result.profile.base.up.queue == queue)
    // The 20 ms hold 16 or 166 packets, and one is in service.
    #expect(result.profile.base.up.delay == .milliseconds(20) && result.losses == [])
  }

  @Test func `tc output shows that netem is below a token bucket`() throws {
    let text = """
      qdisc tbf 1: dev eth0 root refcnt 2 rate 10Mbit burst 1536b lat 1ms
      qdisc netem 10: dev eth0 parent 1:1 limit 1000 delay 20ms
      """
    let json = #"""
      [{"kind":"tbf","handle":"1:","dev":"eth0","root":true,"options":{"rate":1250000,"burst":1536,"lat":1000}},
       {"kind":"netem","handle":"10:","dev":"eth0","parent":"1:1","options":{"limit":1000,"delay":{"delay":0.02}}}]
      """#
    #expect(try imported(text).profile.base.up.queue == 983)
    #expect(try imported(json).profile.base.up.queue == 983)
  }

  @Test(
    arguments: [
      ("qdisc add dev eth0 root fq_codel limit 50", "qdisc fq_codel", nil),
      ("qdisc add dev eth0 root handle 1: cake bandwidth 5mbit rtt 10ms", "qdisc cake", 5),
      ("qdisc add dev eth0 root cake bandwidth unlimited", "qdisc cake", nil),
      ("qdisc add dev eth0 root pfifo limit 50", "pfifo limit 50", nil),
      ("qdsic add dev eth0 root netem loss 1%", "tc qdsic add dev eth0 root netem loss 1%", nil),
      ("qdisc dad dev eth0 root netem loss 1%", "tc qdisc dad dev eth0 root netem loss 1%", nil),
      ("-batch shape.tc", "tc -batch shape.tc", nil),
      (
        "filter add dev eth0 parent ffff: protocol ip u32 match u32 0 0 police rate 1mbit burst 10k drop flowid :1",
        "filter police rate 1mbit", nil
      ),
    ] as [(String, String, Double?)])
  func `a tc command that an import cannot represent is listed`(command: String, subject: String, rate: Double?) throws
  {
    let result = try imported("tc qdisc add dev ifb0 root netem delay 20ms\ntc \(command)\ntc qdisc show dev eth0")
    #expect(result.losses.map(\.subject) == [subject])
    #expect(result.profile.base.up.rate == rate.map { .megabitsPerSecond($0) })
    #expect(result.profile.base.down == LinkConditions(delay: .milliseconds(20)))
  }

  @Test func `importing tc output reads cake's bandwidth and reports other shaping queues as lost`() throws {
    let text = """
      qdisc fq_codel 0: dev lo root refcnt 2 limit 10240p
      qdisc netem 1: dev ifb0 root refcnt 2 limit 1000 delay 20ms
      qdisc htb 1: dev eth0 root refcnt 2 r2q 10 default 0x10
      """
    #expect(try imported(text).losses.map(\.subject) == ["qdisc htb"])
    let json = #"[{"kind":"cake","handle":"1:","dev":"eth0","root":true,"options":{"bandwidth":625000}}]"#
    #expect(try imported(json).profile.base.up.rate == .megabitsPerSecond(5))
  }

  @Test func `tc verbs may be abbreviated`() throws {
    #expect(try imported("tc qdisc ad dev eth0 root netem delay 30ms").profile.base.up.delay == .milliseconds(30))
  }

  @Test func `tc options on a device's root shape the upload`() throws {
    let path = try imported("tc qdisc add dev wlan0 root netem delay 30ms").profile.base
    #expect(path.up.delay == .milliseconds(30))
    #expect(path.down == .unlimited)
  }

  @Test(arguments: [
    "$ tc qdisc add dev eth0 root netem delay 30ms", "ip netns exec left tc qdisc add dev eth0 root netem delay 30ms",
    "tc -n left qdisc add dev eth0 root netem delay 30ms",
    "docker exec $name tc qdisc add dev eth0 root netem delay 30ms 2>/dev/null || true",
    #"docker run -ti server /bin/sh -c "tc qdisc add dev eth0 root netem delay 30ms && server""#,
    "ssh box 'sudo tc qdisc add dev eth0 root netem delay 30ms'",
  ])
  func `a tc command that another program runs is read`(script: String) throws {
    #expect(try imported(script).profile.base.up == LinkConditions(delay: .milliseconds(30)))
  }

  @Test func `an echo of a tc command is not imported`() throws {
    let script = "echo tc qdisc add dev eth0 root netem loss 9%\ntc qdisc add dev eth0 root netem delay 30ms"
    #expect(try imported(script).profile.base.up == LinkConditions(delay: .milliseconds(30)))
  }

  @Test func `a tc script that ends by removing its settings is read without that removal`() throws {
    let result = try imported("tc qdisc add dev lo root netem loss 3%\nsleep 60\ntc qdisc del dev lo root\n")
    #expect(result.profile.base.up.loss == .independent(.percent(3)))
  }

  @Test func `a tc script that ends by resetting several devices is read as before`() throws {
    let path = try imported(
      """
      tc qdisc add dev eth0 root netem delay 30ms
      tc qdisc add dev ifb0 root netem delay 20ms
      tc filter add dev eth0 parent ffff: protocol ip u32 match u32 0 0 action mirred egress redirect dev ifb0
      tc qdisc del dev eth0 ingress
      tc qdisc del dev eth0 root
      tc qdisc del dev ifb0 root
      """
    ).profile.base
    #expect(path.up.delay == .milliseconds(30) && path.down.delay == .milliseconds(20))
  }

  @Test(arguments: ["change", "del dev lo root\ntc qdisc add"])
  func `netem options that a tc script sets later replace the earlier ones, and the import says so`(
    again: String
  ) throws {
    let result = try imported(
      "tc qdisc add dev lo root netem loss 3%\nsleep 9\ntc qdisc \(again) dev lo root netem delay 5ms")
    #expect(result.profile.base.up == LinkConditions(delay: .milliseconds(5)))
    #expect(result.losses.map(\.description) == ["netem: of several at one device the last one counts"])
  }

  @Test func `a device that a tc script has reset keeps nothing of what was set before`() throws {
    let path = try imported(
      """
      tc qdisc add dev eth0 root netem delay 100ms rate 9mbit
      tc qdisc del dev eth0 root
      tc qdisc add dev eth0 root tbf rate 10mbit burst 32kbit limit 150kb
      """
    ).profile.base
    #expect(path.up.delay == .zero && path.up.rate == .megabitsPerSecond(10))
  }

  @Test func `a rate that a tc script replaces no longer counts`() throws {
    func rate(_ lines: String...) throws -> Bandwidth? {
      try imported(lines.map { "tc \($0)\n" }.joined()).profile.base.up.rate
    }
    let bucket = "dev lo root tbf burst 32kbit latency 400ms rate"
    #expect(try rate("qdisc add \(bucket) 1mbit", "qdisc replace \(bucket) 5mbit") == .megabitsPerSecond(5))
    let classes = "dev lo parent 1: classid 1:10 htb rate"
    #expect(try rate("class add \(classes) 1mbit", "class change \(classes) 5mbit") == .megabitsPerSecond(5))
    #expect(try rate("class add \(classes) 10mbit", "qdisc replace \(bucket) 20mbit") == .megabitsPerSecond(10))
  }

  @Test(arguments: [
    ("echo hello", "nothing is shaped", 1), ("tc qdisc add root netem delay 1ms", "the device is missing", 1),
    ("tc qdisc add dev a root netem delay 1ms\ntc qdisc add dev b root netem delay 1ms", "nothing says which", 1),
    ("\ntc qdisc add dev a root netem dely 1ms", "did you mean delay", 2),
    ("tc qdisc add dev a root tbf burst 1k", "tbf needs a rate", 1), ("tc qdisc add dev \"a", "is not closed", 1),
    ("\nsh -c 'tc qdisc add dev a root netem dely 1ms'", "did you mean delay", 2),
    ("tc qdisc add dev a root fq_codel", "can be simulated; left out: qdisc fq_codel: ", 1),
    ("\ntc qdisc add dev a root netem\0 delay 1ms", "a byte that is zero", 2),
  ])
  func `an error in a tc script names the line`(script: String, reason: String, line: Int) {
    let error = #expect(throws: ProfileError.self) { try imported(script) }
    guard case .syntax(_, let place, _, let text)? = error else { return #expect(Bool(false)) }
    #expect(place == line)
    #expect(text.contains(reason), "\(text)")
  }

  @Test func `the exported tc script shapes both directions and contains the commands to undo it`() throws {
    let text = try NetworkProfile.named("3G").exported(as: .tc).text
    #expect(text.contains("tc qdisc replace dev \"$DEV\" root netem delay 100ms rate 330kbit limit 103\n"))
    #expect(text.contains("tc qdisc replace dev \"$IFB\" root netem delay 100ms rate 780kbit limit 107\n"))
    #expect(text.contains("# tc qdisc del dev \"$DEV\" root"))
  }

  @Test func `the output of tc show is read like the commands that set it up`() throws {
    let command = try imported(
      """
      tc qdisc add dev eth0 root netem delay 100ms 20ms 25% loss gemodel 1% 10% 70% 0.1% rate 1mbit limit 1000
      tc qdisc add dev ifb0 root tbf rate 5mbit burst 4095b latency 400ms
      """)
    let shown = try imported(
      """
      qdisc noqueue 0: dev lo root refcnt 2
      qdisc netem 1: dev eth0 root refcnt 2 limit 1000 delay 100ms  20ms 25% loss gemodel p 1% r 10% 1-h 70% 1-k 0.1% rate 1Mbit
      qdisc tbf 1: dev ifb0 root refcnt 2 rate 5Mbit burst 4095b lat 400ms
      """)
    let json = try imported(
      #"""
      [{"kind":"noqueue","handle":"0:","dev":"lo","root":true,"refcnt":2,"options":{}},
       {"kind":"netem","handle":"1:","dev":"eth0","root":true,"refcnt":2,"options":{"limit":1000,"delay":{"delay":0.1,
        "jitter":0.02,"correlation":0.25},"loss-gemodel":{"p":0.01,"r":0.1,"1-h":0.7,"1-k":0.001},
        "rate":{"rate":125000,"packetoverhead":0,"cellsize":0,"celloverhead":0},"ecn":false,"gap":0}},
       {"kind":"tbf","handle":"1:","dev":"ifb0","root":true,"refcnt":2,"options":{"rate":625000,"burst":4095,"lat":400000}}]
      """#)
    #expect(shown.profile.base == command.profile.base)
    #expect(json.profile.base == command.profile.base)
    #expect(json.profile.base.down.rate == .megabitsPerSecond(5))
  }

  @Test func `a share that tc prints as JSON becomes a percentage`() throws {
    let json = try imported(
      #"[{"kind":"netem","dev":"eth0","options":{"loss-random":{"loss":0.55,"correlation":0}}}]"#)
    #expect(json.profile.base == (try imported("tc qdisc add dev eth0 root netem loss 55%")).profile.base)
  }

  /// Output of iproute2 6 for a single device.
  @Test func `tc output for a single device is read without the device's name`() throws {
    let text = try imported("qdisc tbf 1: root refcnt 2 rate 5Mbit burst 4Kb lat 400ms \n")
    let json = try imported(
      #"[{"kind":"tbf","handle":"1:","root":true,"refcnt":2,"options":{"rate":625000,"burst":4095,"lat":400000}}]"#)
    #expect(text.profile.base.up.rate == .megabitsPerSecond(5))
    #expect(json.profile.base.up.rate == .megabitsPerSecond(5))
  }

  @Test func `of several rates at one device the slowest counts, and a class may use its ceiling`() throws {
    func rate(_ classes: String...) throws -> Bandwidth? {
      let lines = classes.map { "tc class add dev eth0 parent 1: classid 1:10 htb \($0)\n" }.joined()
      return try imported("tc qdisc add dev eth0 root handle 1: htb\n" + lines).profile.base.up.rate
    }
    #expect(try rate("rate 2mbit", "rate 5mbit") == .megabitsPerSecond(2))
    #expect(try rate("rate 5mbit", "rate 2mbit") == .megabitsPerSecond(2))
    #expect(try rate("rate 1mbit ceil 5mbit") == .megabitsPerSecond(5))
  }

  @Test func `a class without a rate makes no other rate count less`() throws {
    let result = try imported(
      """
      tc qdisc add dev eth0 root handle 1: tbf rate 1mbit burst 4kb latency 50ms
      tc qdisc add dev eth0 parent 1:1 handle 2: tbf rate 2mbit burst 4kb latency 50ms
      tc class add dev eth0 parent 2:1 classid 3:1 drr quantum 1500
      """)
    #expect(result.profile.base.up.rate == .megabitsPerSecond(1))
    #expect(!result.losses.contains { $0.subject == "class" })
  }

  @Test(arguments: [("redirect", 2_000, []), ("mirror", nil, ["filter"])] as [(String, Double?, [String])])
  func `packets that tc redirects to a device are shaped there, but not packets that it only copies`(
    action: String, kilobits: Double?, losses: [String]
  ) throws {
    let result = try imported(
      """
      tc qdisc add dev eth0 root netem delay 50ms rate 1mbit
      tc qdisc add dev eth0 handle ffff: ingress
      tc filter add dev eth0 parent ffff: protocol ip u32 match u32 0 0 action mirred egress \(action) dev ifb0
      """ + (kilobits == nil ? "" : "\ntc qdisc add dev ifb0 root netem rate 2mbit"))
    #expect(result.profile.base.up.rate == .megabitsPerSecond(1) && result.profile.base.up.delay == .milliseconds(50))
    #expect(result.profile.base.down.rate == kilobits.map { .kilobitsPerSecond($0) })
    #expect(result.losses.map(\.subject) == losses)
  }
}

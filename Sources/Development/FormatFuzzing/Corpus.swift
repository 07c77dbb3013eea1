import Foundation

/// Valid documents of each format, as input for mutations; together they use every part of a format.
public enum Corpus {
  /// The corpus has no document of a format.
  public struct Missing: Error, Hashable, CustomStringConvertible {
    /// The format's name.
    public let format: String

    /// The format without a document, and where to add one.
    public var description: String {
      "The fuzz corpus has no document of the format \"\(format)\". Add one to `Corpus.texts`."
    }
  }

  /// The documents of the format with this name.
  ///
  /// - Throws: ``Missing``, so that a new format without a document fails a test that names it.
  public static func documents(of format: String) throws(Missing) -> [[UInt8]] {
    guard let texts = texts[format], !texts.isEmpty else { throw Missing(format: format) }
    var documents = texts.map { Array($0.utf8) }
    if format == "link-conditioner" { documents += binary }
    return documents
  }

  /// The property lists in binary form.
  private static var binary: [[UInt8]] {
    (texts["link-conditioner"] ?? []).compactMap { text in
      guard let value = try? PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil),
        let data = try? PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0)
      else { return nil }
      return [UInt8](data)
    }
  }

  /// A trace of Mahimahi.
  public static let traces = ["0\n1\n1\n5\n120\n", "7\r\n8\r\n100\r\n", "3"].map { Array($0.utf8) }

  private static let texts: [String: [String]] = [
    "netem": [
      "delay 100ms 20ms 25% distribution normal loss gemodel 1% 10% 70% 0.1% rate 1mbit limit 1000",
      "tc qdisc add dev eth0 root netem rate 5kbit 20 100 5", "delay 10ms reorder 25% 50% gap 5",
      "loss state 1% 30% 10% 50% 0.5% ecn corrupt 0.1% 5% duplicate 1% 2%",
      "slot 800us 10ms packets 3 bytes 1500", "slot distribution pareto 1ms 2ms",
      "# down\ndelay 1s 0.5s\n# up\nlatency 5000 drop random 1.5% 25% seed 7\n",
    ],
    "tc": [
      """
      #!/bin/sh
      DEV=eth0; RATE=1mbit
      sudo tc qdisc del dev $DEV root 2>/dev/null || true
      tc qdisc add dev ${DEV} root handle 1: netem delay "50ms" 5ms loss 1%
      tc qdisc add dev ${DEV} parent 1:1 handle 10: tbf rate ${RATE} burst 32kbit latency 400ms
      ip link add ifb0 type ifb
      tc qdisc add dev $DEV handle ffff: ingress
      tc filter add dev $DEV parent ffff: protocol ip u32 match u32 0 0 flowid 1:1 action mirred egress redirect \\
        dev ifb0
      tc qdisc add dev ifb0 root handle 1: htb default 10
      tc class add dev ifb0 parent 1: classid 1:10 htb rate 2mbit ceil 3mbit
      tc qdisc add dev ifb0 parent 1:10 netem delay 20ms

      """, "tc qdisc replace dev lo root netem loss 3% # lossy\n",
      """
      qdisc noqueue 0: dev lo root refcnt 2
      qdisc netem 1: dev eth0 root refcnt 2 limit 1000 delay 100ms  20ms 25% loss gemodel p 1% r 10% 1-h 70% 1-k 0.1% rate 1Mbit
      qdisc tbf 1: dev ifb0 root refcnt 2 rate 5Mbit burst 4Kb lat 400ms

      """,
    ],
    "chrome": [
      #"{"offline": false, "latency": 150, "downloadThroughput": 200000, "uploadThroughput": 93750.5}"#,
      #"""
      {"Slow 3G": {"download": 50000, "upload": 50000, "latency": 2000},
       "WebRTC": {"title": "x", "download": -1, "upload": -1, "latency": 0, "packetLoss": 2.5, "packetQueueLength": 20,
                  "packetReordering": true, "connectionType": "cellular3g"}}
      """#, #"[{"title": "Offline", "download": 0, "upload": 0, "latency": 0}]"#,
    ],
    "lighthouse": [
      #"""
      {"rttMs": 150, "throughputKbps": 1638.4, "requestLatencyMs": 562.5, "downloadThroughputKbps": 1474.56,
       "uploadThroughputKbps": 675, "cpuSlowdownMultiplier": 4}
      """#,
      #"{"mobile": {"rttMs": 300, "throughputKbps": 700}, "desktop": {"requestLatencyMs": 40, "downloadThroughputKbps": 1e4}}"#,
      #"""
      {"lighthouseVersion": "12.0.0", "audits": {}, "configSettings": {"throttlingMethod": "devtools", "throttling":
       {"rttMs": 150, "throughputKbps": 1638.4, "requestLatencyMs": 562.5, "downloadThroughputKbps": 1474.56,
        "uploadThroughputKbps": 675, "cpuSlowdownMultiplier": 1}}}
      """#,
    ],
    "webpagetest": [
      "[3G]\nlabel=\"Mobile 3G (1.6 Mbps/768 Kbps 300ms RTT)\"\nbwIn=1600000\nbwOut=768000\nlatency=300\nplr=0\ntimeout=120\n\n"
        + "; none\n[Native]\nlabel=\"Native\"\nbwIn=0\nbwOut=0\nlatency=0\nplr=1.5\n"
    ],
    "toxiproxy": [
      #"""
      [{"name": "l", "type": "latency", "stream": "downstream", "toxicity": 1.0, "attributes": {"latency": 1000, "jitter": 50}},
       {"type": "bandwidth", "stream": "upstream", "attributes": {"rate": 64}}, {"type": "limit_data", "attributes": {"bytes": 1024}},
       {"type": "slow_close", "toxicity": 0.25, "attributes": {"delay": 10}}, {"type": "slicer", "attributes": {"average_size": 9}},
       {"type": "reset_peer", "attributes": {"timeout": 0}}, {"type": "timeout", "attributes": {"timeout": 5}}]
      """#,
      #"{"db": {"name": "db", "listen": "[::]:1", "upstream": "b:2", "enabled": false, "toxics": [{"type": "noop"}]}}"#,
    ],
    "link-conditioner": [
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
        <key>Profiles</key>
        <dict>
          <key>A &amp; B &#x33;G</key>
          <dict>
            <!-- 3G -->
            <key>DownlinkBandwidth</key><integer>780</integer><key>DownlinkBandwidthUnit</key><integer>0</integer>
            <key>DownlinkDelay</key><integer>100</integer><key>DownlinkPacketLossRatio</key><real>1.5</real>
            <key>UplinkBandwidth</key><real>1.5</real><key>UplinkBandwidthUnit</key><integer>1</integer>
            <key>UplinkDelay</key><integer>65</integer><key>UplinkPacketLossRatio</key><integer>0</integer>
            <key>DNSDelayValue</key><integer>3000</integer><key>RunOnInterface</key><string>en0 – é</string>
            <key>ExcludeLoopback</key><true/>
          </dict>
        </dict>
        <key>SelectedProfile</key><string>A</string>
      </dict>
      </plist>

      """,
      "<plist version=\"1.0\"><array><dict><key>Name</key><string>one</string><key>UplinkDelay</key><integer>5</integer></dict></array></plist>",
    ],
    "dummynet": [
      """
      #!/bin/bash
      sudo dnctl pipe 1 config bw 780Kbit/s delay 100ms plr 0.01 queue 50
      sudo dnctl pipe 2 config bw 4100byte/s delay 20 queue 64KBytes mask dst-ip 0xffffffff buckets 64
      (cat /etc/pf.conf && echo 'dummynet in quick proto tcp from any to any pipe 1'; echo "dummynet out all pipe 2") | pfctl -f -

      """, "ipfw add 10 pipe 3 ip from any to any out\nipfw pipe 3 config bw 1Mbit/s noerror\n",
    ],
    "mahimahi": ["0\n12\n12\n40\n", "1\r\n2\r\n3\r\n", "5"],
    "csv": [
      "time (s),down (kbit/s),up (kbit/s),rtt (ms),loss (%)\n0,780,330,200,0\n1.5,0,,250,1.5\n60,unlimited,100,200,2\n",
      "Timestamp_ms;DL_bitrate;UL_bitrate;State\n0;5000;100;D\n1000;\"4000\";90;I\n2000;-;80;I\n",
      "0,780\n1,400\n2,0\n",
      "1289406399 549692 59.851754 10.781778 248069 1008\n1289406400 550772 59.851864 10.781833 191698 1080\n",
      "Timestamp,Longitude,Speed,DL_bitrate,UL_bitrate,State,PINGAVG,PINGLOSS\n2019.12.16_13.40.04,-8.39,0,0,0,I,-,-\n"
        + "2019.12.16_13.40.05,-8.39,1,5000,120,D,42.5,0\n2019.12.16_13.40.06,-8.39,1,80000,120,D,,\n",
    ],
  ]
}

extension Corpus {
  /// Endless words, lines and nesting, hostile to every format: each of about `size` bytes.
  public static func endless(_ size: Int) -> [[UInt8]] {
    [
      "a", "1", "-", ".", "\"", "'", "[", "{", "<", "(", ",", ";", "=", "$", "${", "&", "#", " ", "\t", "\r\n", "\\",
      "\u{301}", "a ",
      "a\n", "A=1 ", "{\"a\":", "[[],", "<dict>", "<a", "<!---->", "[a]\n", "1,", "1,1\n",
    ].map { piece in Array(String(repeating: piece, count: size / piece.utf8.count).utf8) }
  }

  /// Documents designed to be expensive: long lists, many references to one long value, variables of variables.
  ///
  /// - Parameter share: divides their length, for tests.
  public static func hostile(_ format: String, share: Int = 1) -> [[UInt8]] {
    func many(_ piece: String, _ count: Int = 90_000, before: String = "", after: String = "") -> [UInt8] {
      Array((before + String(repeating: piece, count: count / share) + after).utf8)
    }
    func numbered(_ count: Int, before: String = "", after: String = "", _ piece: (Int) -> String) -> [UInt8] {
      Array((before + (0..<(count / share)).map(piece).joined() + after).utf8)
    }
    let doubling = (1...40).map { "A\($0)=$A\($0 - 1)$A\($0 - 1)\n" }.joined()
    switch format {
    case "netem":
      return [
        numbered(90_000) { "seed \($0) " }, many("delay 1ms "), many("A=1 "), many("#up\n"),
        Array(("A0=xxxxxxxxxx\n" + doubling + String(repeating: "$A9 ", count: 90_000)).utf8),
      ]
    case "tc":
      return [
        numbered(9_000) { "tc qdisc add dev d\($0) root netem loss 1%\n" },
        numbered(15_000) { "tc qdisc add dev eth0 root netem seed \($0)\n" }, many("tc qdisc del dev a root\n", 40_000),
      ]
    case "dummynet":
      return [many("pipe 1 "), many("add pipe 1 "), numbered(15_000) { "dnctl pipe \($0 + 1) config delay 1\n" }]
    case "chrome", "lighthouse":
      return [numbered(60_000, before: "{", after: "\"z\":{}}") { "\"\($0)\":{}," }, many("[", 900_000)]
    case "toxiproxy":
      return [
        numbered(9_000, before: "[", after: "{\"type\":\"noop\"}]") {
          "{\"type\":\"limit_data\",\"attributes\":{\"bytes\":\($0)}},"
        },
        numbered(60_000, before: "{", after: "\"z\":{}}") { "\"\($0)\":{}," },
      ]
    case "webpagetest":
      return [numbered(90_000) { "[\($0)]\n" }, numbered(50_000, before: "[a]\n") { "timeout=\($0)\n" }]
    case "link-conditioner":
      return [references(60_000 / share), many("<dict>"), many("<plist><array>"), many("<!--", 200_000)]
    case "mahimahi": return [many("1\n", 8_000_000), many("9", 16_000_000)]
    case "csv": return [many("\n", 16_000_000), numbered(400_000) { "\($0),\($0)\n" }, many(",", 900_000)]
    default: return []
    }
  }

  /// A binary property list: an array with `count` references to one string of `count` letters.
  private static func references(_ count: Int) -> [UInt8] {
    func number(_ value: Int, _ size: Int) -> [UInt8] { (0..<size).reversed().map { UInt8(value >> (8 * $0) & 0xFF) } }
    var bytes = Array("bplist00".utf8) + [0xAF, 0x12] + number(count, 4)
    for _ in 0..<count { bytes += [0, 1] }
    let text = bytes.count
    bytes += [0x5F, 0x12] + number(count, 4) + [UInt8](repeating: UInt8(ascii: "x"), count: count)
    let table = bytes.count
    bytes += number(8, 4) + number(text, 4)
    return bytes + [0, 0, 0, 0, 0, 0, 4, 2] + number(2, 8) + number(0, 8) + number(table, 8)
  }
}

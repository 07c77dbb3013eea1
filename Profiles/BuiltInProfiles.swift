// swift-format-ignore-file
// Generated from the JSON files below this folder. CatalogueFolderTests says how to write it anew.

/// The profiles that come with the package, as the bytes of their JSON files.
public enum BuiltInProfiles {
  /// One file: its name, the names and aliases of its profiles, and its bytes.
  public typealias File = (name: String, names: [String], bytes: [UInt8])
  /// Every file of the folders beside this one, in the order of their names.
  public static let files: [File] = [
    ("airplane-wifi.json", ["airplane wifi", "airplane-wifi", "in-flight", "inflight wifi"], Array(#"""
{
  "name": "airplane wifi",
  "aliases": ["airplane-wifi", "in-flight", "inflight wifi"],
  "summary": "satellite Wi-Fi on board, with a beam handover every 90 s",
  "source": "round trip of 790 ms and losses of up to 13 %: NetForecast, quoted at valourconsultancy.com, The importance of low latency in business aviation connectivity; 1.5 Mbit/s and 300 kbit/s for all on board: appneta.com, The real reason airplane wifi is slow, 2014; chosen: the phases and the usual loss; faults of requests: 1.5 % of web accesses fail, four in ten of them for want of a name and most others of a connection, Padmanabhan et al., A Study of End-to-End Web Access Failures, CoNEXT 2006; chosen: the kinds of the rest",
  "down": { "rate": "1.5 Mbit/s", "delay": "395 ms", "jitter": { "pareto": "60 ms" }, "loss": { "mean": "3 %", "burst": 5 } },
  "up": { "rate": "300 kbit/s", "delay": "395 ms", "jitter": { "pareto": "80 ms" }, "loss": { "mean": "3 %", "burst": 5 } },
  "dns": { "delay": "900 ms" },
  "phases": [
    { "name": "cruise", "for": "60 s" },
    { "name": "crowded", "for": "22 s", "down": { "rate": "400 kbit/s", "loss": { "mean": "13 %", "burst": 5 } }, "up": { "rate": "100 kbit/s", "loss": { "mean": "13 %", "burst": 5 } } },
    { "name": "beam handover", "for": "8 s", "outage": "drop" }
  ],
  "repeat": true,
  "faults": [
    { "probability": "0.6 %", "dnsFailure": true },
    { "probability": "0.5 %", "connectTimeout": true },
    { "probability": "0.1 %", "reset": { "after": "anywhere" } },
    { "probability": "0.1 %", "reset": { "after": "anywhere", "direction": "up" } },
    { "probability": "0.1 %", "stall": { "after": "anywhere", "for": "10 s" } },
    { "probability": "0.1 %", "truncate": { "after": "anywhere" } }
  ]
}

"""#.utf8)),
    ("android.json", ["android.gsm", "android.hscsd", "android.gprs", "android.umts", "android.edge", "android.hsdpa", "android.lte", "android.evdo", "android.old-gsm", "android.old-hscsd", "android.old-gprs", "android.old-edge", "android.old-umts", "android.old-hsdpa"], Array(#"""
{
  "source": "emulator -help-netspeed and -help-netdelay as quoted at blog.csdn.net/weixin_39888018/article/details/117809987; rates rounded back from KiB/s; the emulator delays only the SYN of a connection, by an even draw between two bounds, which is the round trip here",
  "profiles": [
    { "name": "android.gsm", "summary": "gsm as in the Android emulator", "down": { "rate": "14.4 kbit/s", "delay": "175 ms", "jitter": { "uniform": "100 ms" } }, "up": { "rate": "14.4 kbit/s", "delay": "175 ms", "jitter": { "uniform": "100 ms" } } },
    { "name": "android.hscsd", "summary": "hscsd as in the Android emulator", "down": { "rate": "57.6 kbit/s", "delay": "120 ms", "jitter": { "uniform": "80 ms" } }, "up": { "rate": "14.4 kbit/s", "delay": "120 ms", "jitter": { "uniform": "80 ms" } } },
    { "name": "android.gprs", "summary": "gprs as in the Android emulator", "down": { "rate": "57.6 kbit/s", "delay": "58.75 ms", "jitter": { "uniform": "41.25 ms" } }, "up": { "rate": "28.8 kbit/s", "delay": "58.75 ms", "jitter": { "uniform": "41.25 ms" } } },
    { "name": "android.umts", "summary": "umts as in the Android emulator", "down": { "rate": "384 kbit/s", "delay": "58.75 ms", "jitter": { "uniform": "41.25 ms" } }, "up": { "rate": "384 kbit/s", "delay": "58.75 ms", "jitter": { "uniform": "41.25 ms" } } },
    { "name": "android.edge", "summary": "edge as in the Android emulator", "down": { "rate": "473.6 kbit/s", "delay": "120 ms", "jitter": { "uniform": "80 ms" } }, "up": { "rate": "473.6 kbit/s", "delay": "120 ms", "jitter": { "uniform": "80 ms" } } },
    { "name": "android.hsdpa", "summary": "hsdpa as in the Android emulator", "down": { "rate": "13980 kbit/s" }, "up": { "rate": "5760 kbit/s" } },
    { "name": "android.lte", "summary": "lte as in the Android emulator", "down": { "rate": "173000 kbit/s" }, "up": { "rate": "58000 kbit/s" } },
    { "name": "android.evdo", "summary": "evdo as in the Android emulator", "down": { "rate": "280000 kbit/s" }, "up": { "rate": "75000 kbit/s" } },
    { "name": "android.old-gsm", "summary": "gsm as in the Android emulator's first source", "source": "android_netspeeds[] and android_netdelays[] in the first source of the emulator, where a comment calls the numbers totally imaginary; the delay is meant for the SYN of a connection", "down": { "rate": "14.4 kbit/s" }, "up": { "rate": "14.4 kbit/s" } },
    { "name": "android.old-hscsd", "summary": "hscsd as in the Android emulator's first source", "source": "android_netspeeds[] and android_netdelays[] in the first source of the emulator, where a comment calls the numbers totally imaginary; the delay is meant for the SYN of a connection", "down": { "rate": "43.2 kbit/s" }, "up": { "rate": "14.4 kbit/s" } },
    { "name": "android.old-gprs", "summary": "gprs as in the Android emulator's first source", "source": "android_netspeeds[] and android_netdelays[] in the first source of the emulator, where a comment calls the numbers totally imaginary; the delay is meant for the SYN of a connection", "down": { "rate": "80 kbit/s", "delay": "175 ms", "jitter": { "uniform": "100 ms" } }, "up": { "rate": "40 kbit/s", "delay": "175 ms", "jitter": { "uniform": "100 ms" } } },
    { "name": "android.old-edge", "summary": "edge as in the Android emulator's first source", "source": "android_netspeeds[] and android_netdelays[] in the first source of the emulator, where a comment calls the numbers totally imaginary; the delay is meant for the SYN of a connection", "down": { "rate": "236.8 kbit/s", "delay": "120 ms", "jitter": { "uniform": "80 ms" } }, "up": { "rate": "118.4 kbit/s", "delay": "120 ms", "jitter": { "uniform": "80 ms" } } },
    { "name": "android.old-umts", "summary": "umts as in the Android emulator's first source", "source": "android_netspeeds[] and android_netdelays[] in the first source of the emulator, where a comment calls the numbers totally imaginary; the delay is meant for the SYN of a connection", "down": { "rate": "1920 kbit/s", "delay": "58.75 ms", "jitter": { "uniform": "41.25 ms" } }, "up": { "rate": "128 kbit/s", "delay": "58.75 ms", "jitter": { "uniform": "41.25 ms" } } },
    { "name": "android.old-hsdpa", "summary": "hsdpa as in the Android emulator's first source", "source": "android_netspeeds[] and android_netdelays[] in the first source of the emulator, where a comment calls the numbers totally imaginary; the delay is meant for the SYN of a connection", "down": { "rate": "14400 kbit/s" }, "up": { "rate": "348 kbit/s" } }
  ]
}

"""#.utf8)),
    ("apple.json", ["apple.3G", "apple.DSL", "apple.edge", "apple.LTE", "apple.very-bad-network", "apple.wi-fi", "apple.wi-fi-802.11ac", "apple.100%-loss", "apple.100-percent-loss", "apple.legacy-3G-good", "apple.legacy-3G-average", "apple.legacy-3G-lossy", "apple.legacy-edge-good", "apple.legacy-edge-average", "apple.legacy-edge-lossy"], Array(#"""
{
  "source": "Apple's Network Link Conditioner, as three independent wrapper scripts for dnctl transcribe it; its own property list was not seen",
  "profiles": [
    { "name": "apple.3G", "summary": "3G as in the Network Link Conditioner", "down": { "rate": "780 kbit/s", "delay": "100 ms" }, "up": { "rate": "330 kbit/s", "delay": "100 ms" } },
    { "name": "apple.DSL", "summary": "DSL as in the Network Link Conditioner", "down": { "rate": "2000 kbit/s", "delay": "5 ms" }, "up": { "rate": "256 kbit/s", "delay": "5 ms" } },
    { "name": "apple.edge", "summary": "Edge as in the Network Link Conditioner", "down": { "rate": "240 kbit/s", "delay": "400 ms" }, "up": { "rate": "200 kbit/s", "delay": "440 ms" } },
    { "name": "apple.LTE", "summary": "LTE as in the Network Link Conditioner", "down": { "rate": "50000 kbit/s", "delay": "50 ms" }, "up": { "rate": "10000 kbit/s", "delay": "65 ms" } },
    { "name": "apple.very-bad-network", "summary": "Very Bad Network as in the Network Link Conditioner", "down": { "rate": "1000 kbit/s", "delay": "500 ms", "loss": "10 %" }, "up": { "rate": "1000 kbit/s", "delay": "500 ms", "loss": "10 %" } },
    { "name": "apple.wi-fi", "summary": "Wi-Fi as in the Network Link Conditioner", "down": { "rate": "40000 kbit/s", "delay": "1 ms" }, "up": { "rate": "33000 kbit/s", "delay": "1 ms" } },
    { "name": "apple.wi-fi-802.11ac", "summary": "Wi-Fi 802.11ac as in the Network Link Conditioner", "down": { "rate": "250000 kbit/s", "delay": "1 ms" }, "up": { "rate": "100000 kbit/s", "delay": "1 ms" } },
    { "name": "apple.100%-loss", "aliases": ["apple.100-percent-loss"], "summary": "100% Loss as in the Network Link Conditioner, every packet is lost", "down": { "rate": "unlimited", "loss": "100 %" }, "up": { "rate": "unlimited", "loss": "100 %" } },
    { "name": "apple.legacy-3G-good", "summary": "3G Good as in the Network Link Conditioner of OS X Lion", "source": "the presets of the OS X Lion era, after a dnctl shell script; Augmented Traffic Control has nearly the same numbers", "down": { "rate": "850 kbit/s", "delay": "100 ms" }, "up": { "rate": "420 kbit/s", "delay": "100 ms" } },
    { "name": "apple.legacy-3G-average", "summary": "3G Average as in the Network Link Conditioner of OS X Lion", "source": "the presets of the OS X Lion era, after a dnctl shell script; Augmented Traffic Control has nearly the same numbers", "down": { "rate": "780 kbit/s", "delay": "100 ms" }, "up": { "rate": "330 kbit/s", "delay": "100 ms" } },
    { "name": "apple.legacy-3G-lossy", "summary": "3G Lossy as in the Network Link Conditioner of OS X Lion", "source": "the presets of the OS X Lion era, after a dnctl shell script; Augmented Traffic Control has nearly the same numbers", "down": { "rate": "780 kbit/s", "delay": "100 ms", "loss": "1 %" }, "up": { "rate": "330 kbit/s", "delay": "100 ms" } },
    { "name": "apple.legacy-edge-good", "summary": "Edge Good as in the Network Link Conditioner of OS X Lion", "source": "the presets of the OS X Lion era, after a dnctl shell script; Augmented Traffic Control has nearly the same numbers", "down": { "rate": "250 kbit/s", "delay": "350 ms" }, "up": { "rate": "200 kbit/s", "delay": "370 ms" } },
    { "name": "apple.legacy-edge-average", "summary": "Edge Average as in the Network Link Conditioner of OS X Lion", "source": "the presets of the OS X Lion era, after a dnctl shell script; Augmented Traffic Control has nearly the same numbers", "down": { "rate": "240 kbit/s", "delay": "400 ms" }, "up": { "rate": "200 kbit/s", "delay": "440 ms" } },
    { "name": "apple.legacy-edge-lossy", "summary": "Edge Lossy as in the Network Link Conditioner of OS X Lion", "source": "the presets of the OS X Lion era, after a dnctl shell script; Augmented Traffic Control has nearly the same numbers", "down": { "rate": "240 kbit/s", "delay": "400 ms", "loss": "1 %" }, "up": { "rate": "200 kbit/s", "delay": "440 ms" } }
  ]
}

"""#.utf8)),
    ("atc.json", ["atc.2G-developing-rural", "atc.2G-developing-urban", "atc.3G-average", "atc.3G-good", "atc.cable", "atc.DSL", "atc.edge-average", "atc.edge-good", "atc.edge-lossy", "atc.no-connectivity"], Array(#"""
{
  "source": "facebookarchive/augmented-traffic-control, utils/profiles/*.json at 5757208; delays are one-way",
  "profiles": [
    { "name": "atc.2G-developing-rural", "summary": "2G - Developing Rural as in Augmented Traffic Control", "down": { "rate": "20 kbit/s", "delay": "650 ms", "loss": "2 %" }, "up": { "rate": "18 kbit/s", "delay": "650 ms", "loss": "2 %" } },
    { "name": "atc.2G-developing-urban", "summary": "2G - Developing Urban as in Augmented Traffic Control", "down": { "rate": "35 kbit/s", "delay": "650 ms" }, "up": { "rate": "32 kbit/s", "delay": "650 ms" } },
    { "name": "atc.3G-average", "summary": "3G - Average as in Augmented Traffic Control", "down": { "rate": "780 kbit/s", "delay": "100 ms" }, "up": { "rate": "330 kbit/s", "delay": "100 ms" } },
    { "name": "atc.3G-good", "summary": "3G - Good as in Augmented Traffic Control", "down": { "rate": "850 kbit/s", "delay": "90 ms" }, "up": { "rate": "420 kbit/s", "delay": "100 ms" } },
    { "name": "atc.cable", "summary": "Cable as in Augmented Traffic Control", "down": { "rate": "6000 kbit/s", "delay": "2 ms" }, "up": { "rate": "1000 kbit/s", "delay": "2 ms" } },
    { "name": "atc.DSL", "summary": "DSL as in Augmented Traffic Control", "down": { "rate": "2000 kbit/s", "delay": "5 ms" }, "up": { "rate": "256 kbit/s", "delay": "5 ms" } },
    { "name": "atc.edge-average", "summary": "Edge - Average as in Augmented Traffic Control", "down": { "rate": "240 kbit/s", "delay": "400 ms" }, "up": { "rate": "200 kbit/s", "delay": "440 ms" } },
    { "name": "atc.edge-good", "summary": "Edge - Good as in Augmented Traffic Control", "down": { "rate": "250 kbit/s", "delay": "350 ms" }, "up": { "rate": "200 kbit/s", "delay": "370 ms" } },
    { "name": "atc.edge-lossy", "summary": "Edge - Lossy as in Augmented Traffic Control", "down": { "rate": "240 kbit/s", "delay": "400 ms", "loss": "1 %" }, "up": { "rate": "200 kbit/s", "delay": "440 ms", "loss": "1 %" } },
    { "name": "atc.no-connectivity", "summary": "No Connectivity as in Augmented Traffic Control, no network as 1 kbit/s, without loss", "down": { "rate": "1 kbit/s" }, "up": { "rate": "1 kbit/s" } }
  ]
}

"""#.utf8)),
    ("beannetworktester.json", ["beannetworktester.5g", "beannetworktester.dsl", "beannetworktester.lte", "beannetworktester.leo", "beannetworktester.distant", "beannetworktester.bufferbloat", "beannetworktester.metro", "beannetworktester.3g", "beannetworktester.satellite", "beannetworktester.inflight", "beannetworktester.modem56k", "beannetworktester.terrible"], Array(#"""
{
  "source": "donislawdev/BeanNetworkTester, beantester/presets.py at e7d2213; 1 KB is 1024 bytes there, decimal here; one-way delays with an even spread",
  "profiles": [
    { "name": "beannetworktester.5g", "summary": "5g as in BeanNetworkTester", "down": { "rate": "167772.16 kbit/s", "delay": "18 ms", "jitter": { "uniform": "8 ms" }, "loss": "0.1 %" }, "up": { "rate": "20971.52 kbit/s", "delay": "18 ms", "jitter": { "uniform": "8 ms" }, "loss": "0.1 %" } },
    { "name": "beannetworktester.dsl", "summary": "dsl as in BeanNetworkTester", "down": { "rate": "33554.43 kbit/s", "delay": "20 ms", "jitter": { "uniform": "8 ms" }, "loss": "0.5 %" }, "up": { "rate": "4194.3 kbit/s", "delay": "20 ms", "jitter": { "uniform": "8 ms" }, "loss": "0.5 %" } },
    { "name": "beannetworktester.lte", "summary": "lte as in BeanNetworkTester", "down": { "rate": "33554.43 kbit/s", "delay": "30 ms", "jitter": { "uniform": "20 ms" }, "loss": "0.3 %" }, "up": { "rate": "10485.76 kbit/s", "delay": "30 ms", "jitter": { "uniform": "20 ms" }, "loss": "0.3 %" } },
    { "name": "beannetworktester.leo", "summary": "leo as in BeanNetworkTester, its spikes of 100 ms on 0.7 % of packets are left out", "down": { "rate": "100663.3 kbit/s", "delay": "20 ms", "jitter": { "uniform": "15 ms" }, "loss": "0.5 %" }, "up": { "rate": "12582.91 kbit/s", "delay": "20 ms", "jitter": { "uniform": "15 ms" }, "loss": "0.5 %" } },
    { "name": "beannetworktester.distant", "summary": "distant as in BeanNetworkTester", "down": { "rate": "100663.3 kbit/s", "delay": "60 ms", "jitter": { "uniform": "5 ms" } }, "up": { "rate": "16777.22 kbit/s", "delay": "60 ms", "jitter": { "uniform": "5 ms" } } },
    { "name": "beannetworktester.bufferbloat", "summary": "bufferbloat as in BeanNetworkTester, its buffer of 2 s counted in packets of 1500 bytes", "down": { "rate": "8388.61 kbit/s", "delay": "10 ms", "jitter": { "uniform": "5 ms" }, "queue": "1398 packets" }, "up": { "rate": "1048.58 kbit/s", "delay": "10 ms", "jitter": { "uniform": "5 ms" }, "queue": "175 packets" } },
    { "name": "beannetworktester.metro", "summary": "metro as in BeanNetworkTester, down for 3 s of every 30 s", "down": { "rate": "8388.61 kbit/s", "delay": "50 ms", "jitter": { "uniform": "40 ms" }, "loss": "2 %" }, "up": { "rate": "2097.15 kbit/s", "delay": "50 ms", "jitter": { "uniform": "40 ms" }, "loss": "2 %" }, "phases": [{ "name": "up", "for": "27 s" }, { "name": "down", "for": "3 s", "outage": "drop" }], "repeat": true },
    { "name": "beannetworktester.3g", "summary": "3g as in BeanNetworkTester", "down": { "rate": "786.43 kbit/s", "delay": "90 ms", "jitter": { "uniform": "60 ms" }, "loss": "1 %" }, "up": { "rate": "262.14 kbit/s", "delay": "90 ms", "jitter": { "uniform": "60 ms" }, "loss": "1 %" } },
    { "name": "beannetworktester.satellite", "summary": "satellite as in BeanNetworkTester", "down": { "rate": "25165.82 kbit/s", "delay": "340 ms", "jitter": { "uniform": "100 ms" }, "loss": "1 %" }, "up": { "rate": "3145.73 kbit/s", "delay": "340 ms", "jitter": { "uniform": "100 ms" }, "loss": "1 %" } },
    { "name": "beannetworktester.inflight", "summary": "inflight as in BeanNetworkTester, down for 1.8 s of every 60 s", "down": { "rate": "524.29 kbit/s", "delay": "375 ms", "jitter": { "uniform": "150 ms" }, "loss": "7 %" }, "up": { "rate": "196.61 kbit/s", "delay": "375 ms", "jitter": { "uniform": "150 ms" }, "loss": "7 %" }, "phases": [{ "name": "up", "for": "58.2 s" }, { "name": "down", "for": "1.8 s", "outage": "drop" }], "repeat": true },
    { "name": "beannetworktester.modem56k", "summary": "modem56k as in BeanNetworkTester", "down": { "rate": "40.96 kbit/s", "delay": "100 ms", "jitter": { "uniform": "30 ms" }, "loss": "0.5 %" }, "up": { "rate": "32.77 kbit/s", "delay": "100 ms", "jitter": { "uniform": "30 ms" }, "loss": "0.5 %" } },
    { "name": "beannetworktester.terrible", "summary": "terrible as in BeanNetworkTester", "down": { "rate": "262.14 kbit/s", "delay": "300 ms", "jitter": { "uniform": "150 ms" }, "loss": "10 %" }, "up": { "rate": "131.07 kbit/s", "delay": "300 ms", "jitter": { "uniform": "150 ms" }, "loss": "10 %" } }
  ]
}

"""#.utf8)),
    ("blackhole.json", ["blackhole", "black hole", "no route back"], Array(#"""
{
  "name": "blackhole",
  "aliases": ["black hole", "no route back"],
  "summary": "every packet vanishes and nobody says so",
  "source": "chosen: what a dead uplink behind a working access point is to an app",
  "outage": "drop"
}

"""#.utf8)),
    ("bufferbloat.json", ["bufferbloat", "deep queue", "deep-queue"], Array(#"""
{
  "name": "bufferbloat",
  "aliases": ["deep queue", "deep-queue"],
  "summary": "a queue of two seconds in front of a slow line",
  "source": "after donislawdev/BeanNetworkTester, beantester/presets.py, bufferbloat at e7d2213; its buffer of 2 s counted in packets of 1500 bytes; rates rounded",
  "down": { "rate": "8 Mbit/s", "delay": "10 ms", "queue": "1333 packets" },
  "up": { "rate": "1 Mbit/s", "delay": "10 ms", "queue": "167 packets" }
}

"""#.utf8)),
    ("cable.json", ["cable", "DOCSIS"], Array(#"""
{
  "name": "cable",
  "aliases": ["DOCSIS"],
  "summary": "television cable with a slow way up",
  "source": "chosen: a common tariff of 100 and 10 Mbit/s; 8 ms each way to a near server; the jitter is the wait for a grant on the shared way up",
  "down": { "rate": "100 Mbit/s", "delay": "8 ms", "jitter": { "normal": "1 ms" } },
  "up": { "rate": "10 Mbit/s", "delay": "8 ms", "jitter": { "normal": "3 ms" } }
}

"""#.utf8)),
    ("cafe-wifi.json", ["cafe wifi", "cafe-wifi", "coffee shop"], Array(#"""
{
  "name": "cafe wifi",
  "aliases": ["cafe-wifi", "coffee shop"],
  "summary": "the shared Wi-Fi of a busy cafe",
  "source": "rate down: about 9 Mbit/s on average at Starbucks in Opensignal, US Wi-Fi report, 2014; chosen: everything else; faults of requests: 1.5 % of web accesses fail, four in ten of them for want of a name and most others of a connection, Padmanabhan et al., A Study of End-to-End Web Access Failures, CoNEXT 2006; chosen: the kinds of the rest",
  "down": { "rate": "9 Mbit/s", "delay": "20 ms", "jitter": { "pareto": "15 ms" }, "loss": { "mean": "1 %", "burst": 2 } },
  "up": { "rate": "2 Mbit/s", "delay": "20 ms", "jitter": { "pareto": "20 ms" }, "loss": { "mean": "1 %", "burst": 2 } },
  "dns": { "delay": "60 ms" },
  "faults": [
    { "probability": "0.6 %", "dnsFailure": true },
    { "probability": "0.4 %", "connectTimeout": true },
    { "probability": "0.1 %", "refused": true },
    { "probability": "0.1 %", "tlsFailure": true },
    { "probability": "0.1 %", "reset": { "after": "anywhere" } },
    { "probability": "0.1 %", "stall": { "after": "anywhere", "for": "5 s" } },
    { "probability": "0.1 %", "truncate": { "after": "anywhere" } },
    { "match": { "scheme": "http" }, "probability": "0.2 %", "corrupt": { "at": "anywhere" } }
  ]
}

"""#.utf8)),
    ("cellular-2g.json", ["2G", "GPRS", "2G-GPRS"], Array(#"""
{
  "name": "2G",
  "aliases": ["GPRS", "2G-GPRS"],
  "summary": "a crowded GPRS cell in a city",
  "source": "facebookarchive/augmented-traffic-control, utils/profiles, 2G - Developing Urban at 5757208",
  "down": { "rate": "35 kbit/s", "delay": "650 ms" },
  "up": { "rate": "32 kbit/s", "delay": "650 ms" }
}

"""#.utf8)),
    ("cellular-3g.json", ["3G", "UMTS"], Array(#"""
{
  "name": "3G",
  "aliases": ["UMTS"],
  "summary": "an average 3G connection that stands still",
  "source": "Apple's Network Link Conditioner, preset 3G, as three independent wrapper scripts for dnctl transcribe it",
  "down": { "rate": "780 kbit/s", "delay": "100 ms" },
  "up": { "rate": "330 kbit/s", "delay": "100 ms" }
}

"""#.utf8)),
    ("cellular-4g.json", ["4G", "LTE"], Array(#"""
{
  "name": "4G",
  "aliases": ["LTE"],
  "summary": "an average 4G connection that stands still",
  "source": "rates: average of US smartphones in Opensignal, State of Mobile USA, May 2019 (21.3 and 6.3 Mbit/s); delay: the middle of its 44 to 66 ms, half each way; chosen: jitter and loss",
  "down": { "rate": "21.3 Mbit/s", "delay": "27 ms", "jitter": { "normal": "6 ms" }, "loss": "0.05 %" },
  "up": { "rate": "6.3 Mbit/s", "delay": "28 ms", "jitter": { "normal": "8 ms" }, "loss": "0.05 %" }
}

"""#.utf8)),
    ("cellular-5g.json", ["5G", "NR"], Array(#"""
{
  "name": "5G",
  "aliases": ["NR"],
  "summary": "an average mid-band 5G connection that stands still",
  "source": "rates: T-Mobile USA in Opensignal, 5G Experience Report, October 2021 (118.7 and 16.1 Mbit/s); chosen: delay, jitter and loss",
  "down": { "rate": "118.7 Mbit/s", "delay": "15 ms", "jitter": { "normal": "4 ms" }, "loss": "0.02 %" },
  "up": { "rate": "16.1 Mbit/s", "delay": "17 ms", "jitter": { "normal": "5 ms" }, "loss": "0.02 %" }
}

"""#.utf8)),
    ("cellular-edge.json", ["EDGE", "2.75G"], Array(#"""
{
  "name": "EDGE",
  "aliases": ["2.75G"],
  "summary": "an average EDGE connection that stands still",
  "source": "Apple's Network Link Conditioner, preset Edge, as three independent wrapper scripts for dnctl transcribe it",
  "down": { "rate": "240 kbit/s", "delay": "400 ms" },
  "up": { "rate": "200 kbit/s", "delay": "440 ms" }
}

"""#.utf8)),
    ("chrome.json", ["chrome.3G", "chrome.slow-3G", "chrome.3G-applied", "chrome.slow-3G-applied", "chrome.slow-4G", "chrome.fast-3G", "chrome.slow-4G-applied", "chrome.fast-3G-applied", "chrome.fast-4G", "chrome.fast-4G-applied", "chrome.offline"], Array(#"""
{
  "source": "ChromeDevTools/devtools-frontend, front_end/core/sdk/NetworkManager.ts at 00d120b; the latency and the rates that DevTools hand to the browser: of the network that a preset is named for, times a factor. The browser charges them as the model devtools does; half of the latency stands in each direction",
  "profiles": [
    { "name": "chrome.3G", "aliases": ["chrome.slow-3G", "chrome.3G-applied", "chrome.slow-3G-applied"], "summary": "3G, once called Slow 3G, as Chrome DevTools throttle each request", "model": "devtools", "down": { "rate": "400 kbit/s", "delay": "1000 ms" }, "up": { "rate": "400 kbit/s", "delay": "1000 ms" } },
    { "name": "chrome.slow-4G", "aliases": ["chrome.fast-3G", "chrome.slow-4G-applied", "chrome.fast-3G-applied"], "summary": "Slow 4G, once called Fast 3G, as Chrome DevTools throttle each request", "model": "devtools", "down": { "rate": "1440 kbit/s", "delay": "281.25 ms" }, "up": { "rate": "675 kbit/s", "delay": "281.25 ms" } },
    { "name": "chrome.fast-4G", "aliases": ["chrome.fast-4G-applied"], "summary": "Fast 4G as Chrome DevTools throttle each request", "model": "devtools", "down": { "rate": "8100 kbit/s", "delay": "82.5 ms" }, "up": { "rate": "1350 kbit/s", "delay": "82.5 ms" } },
    { "name": "chrome.offline", "summary": "Offline as in Chrome DevTools", "outage": "refuse" }
  ]
}

"""#.utf8)),
    ("comcast.json", ["comcast.GPRS-good", "comcast.EDGE-good", "comcast.3G-HSDPA-good", "comcast.dial-up-good", "comcast.DSL-poor", "comcast.DSL-good", "comcast.wifi-good", "comcast.starlink"], Array(#"""
{
  "source": "tylertreat/comcast, README.md at 145d021: a table of examples with one latency, taken as a round trip, and one bandwidth, used both ways",
  "profiles": [
    { "name": "comcast.GPRS-good", "summary": "GPRS (good) as in comcast", "down": { "rate": "50 kbit/s", "delay": "250 ms", "loss": "2 %" }, "up": { "rate": "50 kbit/s", "delay": "250 ms", "loss": "2 %" } },
    { "name": "comcast.EDGE-good", "summary": "EDGE (good) as in comcast", "down": { "rate": "250 kbit/s", "delay": "150 ms", "loss": "1.5 %" }, "up": { "rate": "250 kbit/s", "delay": "150 ms", "loss": "1.5 %" } },
    { "name": "comcast.3G-HSDPA-good", "summary": "3G/HSDPA (good) as in comcast", "down": { "rate": "750 kbit/s", "delay": "125 ms", "loss": "1.5 %" }, "up": { "rate": "750 kbit/s", "delay": "125 ms", "loss": "1.5 %" } },
    { "name": "comcast.dial-up-good", "summary": "DIAL-UP (good) as in comcast", "down": { "rate": "40 kbit/s", "delay": "92.5 ms", "loss": "2 %" }, "up": { "rate": "40 kbit/s", "delay": "92.5 ms", "loss": "2 %" } },
    { "name": "comcast.DSL-poor", "summary": "DSL (poor) as in comcast", "down": { "rate": "2000 kbit/s", "delay": "35 ms", "loss": "2 %" }, "up": { "rate": "2000 kbit/s", "delay": "35 ms", "loss": "2 %" } },
    { "name": "comcast.DSL-good", "summary": "DSL (good) as in comcast", "down": { "rate": "8000 kbit/s", "delay": "20 ms", "loss": "0.5 %" }, "up": { "rate": "8000 kbit/s", "delay": "20 ms", "loss": "0.5 %" } },
    { "name": "comcast.wifi-good", "summary": "WIFI (good) as in comcast", "down": { "rate": "30000 kbit/s", "delay": "20 ms", "loss": "0.2 %" }, "up": { "rate": "30000 kbit/s", "delay": "20 ms", "loss": "0.2 %" } },
    { "name": "comcast.starlink", "summary": "Starlink as in comcast", "down": { "rate": "unlimited", "delay": "10 ms", "loss": "2.5 %" }, "up": { "rate": "unlimited", "delay": "10 ms", "loss": "2.5 %" } }
  ]
}

"""#.utf8)),
    ("conference-wifi.json", ["conference wifi", "conference-wifi", "stadium"], Array(#"""
{
  "name": "conference wifi",
  "aliases": ["conference-wifi", "stadium"],
  "summary": "Wi-Fi with a thousand others in the hall",
  "source": "chosen: airtime that runs out for seconds at a time; faults of requests: 1.5 % of web accesses fail, four in ten of them for want of a name and most others of a connection, Padmanabhan et al., A Study of End-to-End Web Access Failures, CoNEXT 2006; chosen: the kinds of the rest",
  "down": { "rate": "1.5 Mbit/s", "delay": "40 ms", "jitter": { "pareto": "60 ms" }, "loss": { "mean": "3 %", "burst": 5 } },
  "up": { "rate": "400 kbit/s", "delay": "40 ms", "jitter": { "pareto": "80 ms" }, "loss": { "mean": "4 %", "burst": 5 } },
  "dns": { "delay": "250 ms" },
  "phases": [
    { "name": "talk", "for": "25 s" },
    { "name": "break", "for": "15 s", "down": { "rate": "200 kbit/s", "loss": { "mean": "10 %", "burst": 8 } }, "up": { "rate": "80 kbit/s", "loss": { "mean": "10 %", "burst": 8 } }, "dns": { "delay": "1500 ms" } }
  ],
  "repeat": true,
  "faults": [
    { "probability": "0.6 %", "dnsFailure": true },
    { "probability": "0.5 %", "connectTimeout": true },
    { "probability": "0.1 %", "tlsFailure": true },
    { "probability": "0.1 %", "reset": { "after": "anywhere" } },
    { "probability": "0.2 %", "stall": { "after": "anywhere", "for": "5 s" } }
  ]
}

"""#.utf8)),
    ("congested.json", ["congested", "rush hour", "rush-hour"], Array(#"""
{
  "name": "congested",
  "aliases": ["rush hour", "rush-hour"],
  "summary": "a shared line in the evening that everybody uses at once",
  "source": "chosen: little is left of the rate, the delay swings and full queues drop in bursts; faults of requests: 1.5 % of web accesses fail, four in ten of them for want of a name and most others of a connection, Padmanabhan et al., A Study of End-to-End Web Access Failures, CoNEXT 2006; chosen: the kinds of the rest",
  "down": { "rate": "1.5 Mbit/s", "delay": "60 ms", "jitter": { "pareto": "40 ms" }, "loss": { "mean": "2 %", "burst": 2 }, "queue": "60 packets" },
  "up": { "rate": "500 kbit/s", "delay": "60 ms", "jitter": { "pareto": "40 ms" }, "loss": { "mean": "2 %", "burst": 2 }, "queue": "60 packets" },
  "dns": { "delay": "200 ms" },
  "faults": [
    { "probability": "0.6 %", "dnsFailure": true },
    { "probability": "0.5 %", "connectTimeout": true },
    { "probability": "0.1 %", "stall": { "after": "anywhere", "for": "10 s" } },
    { "probability": "0.1 %", "slowClose": { "delay": "3 s" } },
    { "probability": "0.1 %", "status": { "code": 503, "retryAfter": "5 s" } },
    { "probability": "0.1 %", "status": { "code": 429, "retryAfter": "2 s" } }
  ]
}

"""#.utf8)),
    ("dial-up.json", ["dial-up", "modem", "56k"], Array(#"""
{
  "name": "dial-up",
  "aliases": ["modem", "56k"],
  "summary": "a 56k modem on a telephone line",
  "source": "WPO-Foundation/webpagetest, www/settings/connectivity.ini.sample, Dial at b85d656; its round trip halved each way",
  "down": { "rate": "49 kbit/s", "delay": "60 ms" },
  "up": { "rate": "30 kbit/s", "delay": "60 ms" }
}

"""#.utf8)),
    ("driving.json", ["driving", "car"], Array(#"""
{
  "name": "driving",
  "aliases": ["car"],
  "summary": "5G in a moving car, with a stall of a second in every half minute",
  "source": "rates of the phases: quartiles of throughput in the driving traces of Raca et al., Beyond Throughput, the Next Generation: a 5G Dataset, MMSys 2020 (3.1, 8.8 and 20.5 Mbit/s), and their median stall, 1 s; chosen: the order, the lengths, everything else; faults of requests: 1.5 % of web accesses fail, four in ten of them for want of a name and most others of a connection, Padmanabhan et al., A Study of End-to-End Web Access Failures, CoNEXT 2006; chosen: the kinds of the rest",
  "down": { "rate": "8.8 Mbit/s", "delay": "30 ms", "jitter": { "normal": "10 ms" }, "loss": { "mean": "0.3 %", "burst": 3 } },
  "up": { "rate": "3 Mbit/s", "delay": "35 ms", "jitter": { "normal": "12 ms" }, "loss": { "mean": "0.3 %", "burst": 3 } },
  "phases": [
    { "name": "usual", "for": "14 s" },
    { "name": "near a mast", "for": "8 s", "down": { "rate": "20.5 Mbit/s" }, "up": { "rate": "8 Mbit/s" } },
    { "name": "cell edge", "for": "7 s", "down": { "rate": "3.1 Mbit/s", "loss": { "mean": "2 %", "burst": 4 } }, "up": { "rate": "1 Mbit/s", "loss": { "mean": "2 %", "burst": 4 } } },
    { "name": "handover", "for": "1 s", "outage": "drop" }
  ],
  "repeat": true,
  "faults": [
    { "probability": "0.6 %", "dnsFailure": true },
    { "probability": "0.5 %", "connectTimeout": true },
    { "probability": "0.1 %", "reset": { "after": "anywhere" } },
    { "probability": "0.1 %", "reset": { "after": "anywhere", "direction": "up" } },
    { "probability": "0.1 %", "stall": { "after": "anywhere", "for": "10 s" } },
    { "probability": "0.1 %", "truncate": { "after": "anywhere" } }
  ]
}

"""#.utf8)),
    ("dsl.json", ["DSL", "ADSL"], Array(#"""
{
  "name": "DSL",
  "aliases": ["ADSL"],
  "summary": "an ADSL2+ line of average length",
  "source": "chosen: 16 and 1 Mbit/s of ADSL2+ (ITU-T G.992.5); a first hop of 20 ms with 8 ms of interleaving each way is published for an ADSL2+ line, gist.github.com/kralo/811f6e427233bba71d0ce2487c64d905",
  "down": { "rate": "16 Mbit/s", "delay": "12 ms", "jitter": { "normal": "1 ms" } },
  "up": { "rate": "1 Mbit/s", "delay": "12 ms", "jitter": { "normal": "1 ms" } }
}

"""#.utf8)),
    ("elevator.json", ["elevator", "lift"], Array(#"""
{
  "name": "elevator",
  "aliases": ["lift"],
  "summary": "LTE in a lobby, lost for the 25 s of every ride in a lift",
  "source": "chosen: a ride of ten floors in a steel cabin, between two waits; faults of requests: 1.5 % of web accesses fail, four in ten of them for want of a name and most others of a connection, Padmanabhan et al., A Study of End-to-End Web Access Failures, CoNEXT 2006; chosen: the kinds of the rest",
  "down": { "rate": "15 Mbit/s", "delay": "30 ms", "jitter": { "normal": "8 ms" }, "loss": "0.1 %" },
  "up": { "rate": "5 Mbit/s", "delay": "32 ms", "jitter": { "normal": "8 ms" }, "loss": "0.1 %" },
  "phases": [
    { "name": "lobby", "for": "20 s" },
    { "name": "doors closing", "for": "2 s", "down": { "rate": "500 kbit/s", "loss": { "mean": "20 %", "burst": 6 } }, "up": { "rate": "150 kbit/s", "loss": { "mean": "20 %", "burst": 6 } } },
    { "name": "ride", "for": "25 s", "outage": "drop" },
    { "name": "doors opening", "for": "3 s", "down": { "rate": "2 Mbit/s", "loss": { "mean": "5 %", "burst": 4 } }, "up": { "rate": "500 kbit/s", "loss": { "mean": "5 %", "burst": 4 } } }
  ],
  "repeat": true,
  "faults": [
    { "probability": "0.6 %", "dnsFailure": true },
    { "probability": "0.5 %", "connectTimeout": true },
    { "probability": "0.1 %", "reset": { "after": "anywhere" } },
    { "probability": "0.1 %", "reset": { "after": "anywhere", "direction": "up" } },
    { "probability": "0.1 %", "stall": { "after": "anywhere", "for": "10 s" } },
    { "probability": "0.1 %", "truncate": { "after": "anywhere" } }
  ]
}

"""#.utf8)),
    ("fibre.json", ["fibre", "fiber", "FTTH"], Array(#"""
{
  "name": "fibre",
  "aliases": ["fiber", "FTTH"],
  "summary": "fibre to the home",
  "source": "chosen: a gigabit tariff, 4 ms each way to a near server",
  "down": { "rate": "1 Gbit/s", "delay": "4 ms" },
  "up": { "rate": "500 Mbit/s", "delay": "4 ms" }
}

"""#.utf8)),
    ("firefox.json", ["firefox.GPRS", "firefox.regular-2G", "firefox.good-2G", "firefox.regular-3G", "firefox.good-3G", "firefox.regular-4G-LTE", "firefox.DSL", "firefox.wi-fi"], Array(#"""
{
  "source": "mozilla-firefox/firefox, devtools/client/shared/components/throttling/profiles.js; 1 kbit is 1024 bit there, decimal here; its latency is the least time of a request; here it is the round trip, half each way",
  "profiles": [
    { "name": "firefox.GPRS", "summary": "GPRS as in Firefox DevTools", "down": { "rate": "51.2 kbit/s", "delay": "250 ms" }, "up": { "rate": "20.48 kbit/s", "delay": "250 ms" } },
    { "name": "firefox.regular-2G", "summary": "Regular 2G as in Firefox DevTools", "down": { "rate": "256 kbit/s", "delay": "150 ms" }, "up": { "rate": "51.2 kbit/s", "delay": "150 ms" } },
    { "name": "firefox.good-2G", "summary": "Good 2G as in Firefox DevTools", "down": { "rate": "460.8 kbit/s", "delay": "75 ms" }, "up": { "rate": "153.6 kbit/s", "delay": "75 ms" } },
    { "name": "firefox.regular-3G", "summary": "Regular 3G as in Firefox DevTools", "down": { "rate": "768 kbit/s", "delay": "50 ms" }, "up": { "rate": "256 kbit/s", "delay": "50 ms" } },
    { "name": "firefox.good-3G", "summary": "Good 3G as in Firefox DevTools", "down": { "rate": "1572.864 kbit/s", "delay": "20 ms" }, "up": { "rate": "768 kbit/s", "delay": "20 ms" } },
    { "name": "firefox.regular-4G-LTE", "summary": "Regular 4G / LTE as in Firefox DevTools", "down": { "rate": "4194.304 kbit/s", "delay": "10 ms" }, "up": { "rate": "3145.728 kbit/s", "delay": "10 ms" } },
    { "name": "firefox.DSL", "summary": "DSL as in Firefox DevTools", "down": { "rate": "2097.152 kbit/s", "delay": "2.5 ms" }, "up": { "rate": "1048.576 kbit/s", "delay": "2.5 ms" } },
    { "name": "firefox.wi-fi", "summary": "Wi-Fi as in Firefox DevTools", "down": { "rate": "31457.28 kbit/s", "delay": "1 ms" }, "up": { "rate": "15728.64 kbit/s", "delay": "1 ms" } }
  ]
}

"""#.utf8)),
    ("flaky.json", ["flaky", "unstable"], Array(#"""
{
  "name": "flaky",
  "aliases": ["unstable"],
  "summary": "a usable network that stutters, cuts out and breaks requests",
  "source": "chosen: a stutter and a cut in every half minute, and a fault of each kind there is, 8 in a hundred requests in all; one reset in three comes when the server has done its work and the answer has not come, and bytes are damaged only where no TLS would notice",
  "down": { "rate": "10 Mbit/s", "delay": "30 ms", "jitter": { "pareto": "20 ms" }, "loss": { "mean": "0.5 %", "burst": 3 } },
  "up": { "rate": "3 Mbit/s", "delay": "30 ms", "jitter": { "pareto": "20 ms" }, "loss": { "mean": "0.5 %", "burst": 3 } },
  "dns": { "delay": "50 ms" },
  "phases": [
    { "name": "fine", "for": "15 s" },
    { "name": "stutter", "for": "4 s", "down": { "rate": "500 kbit/s", "loss": { "mean": "12 %", "burst": 5 } }, "up": { "rate": "200 kbit/s", "loss": { "mean": "12 %", "burst": 5 } } },
    { "name": "fine again", "for": "9 s" },
    { "name": "cut", "for": "2 s", "outage": "drop" }
  ],
  "repeat": true,
  "faults": [
    { "probability": "1.5 %", "reset": { "after": "anywhere" } },
    { "probability": "1 %", "reset": { "after": "0 bytes" } },
    { "probability": "0.5 %", "reset": { "after": "anywhere", "direction": "up" } },
    { "probability": "1 %", "stall": { "after": "anywhere", "for": "5 s" } },
    { "probability": "0.5 %", "truncate": { "after": "anywhere" } },
    { "probability": "0.5 %", "slowClose": { "delay": "2 s" } },
    { "probability": "1 %", "dnsFailure": true },
    { "probability": "0.5 %", "connectTimeout": true },
    { "probability": "0.3 %", "refused": true },
    { "probability": "0.2 %", "tlsFailure": true },
    { "probability": "0.5 %", "status": { "code": 503, "retryAfter": "2 s" } },
    { "probability": "0.3 %", "status": { "code": 429, "retryAfter": "1 s" } },
    { "probability": "0.2 %", "status": { "code": 500 } },
    { "match": { "scheme": "http" }, "probability": "0.5 %", "corrupt": { "at": "anywhere" } }
  ]
}

"""#.utf8)),
    ("high-latency-dns.json", ["high latency DNS", "high-latency-dns", "slow DNS"], Array(#"""
{
  "name": "high latency DNS",
  "aliases": ["high-latency-dns", "slow DNS"],
  "summary": "a fast network whose name server takes 3 s",
  "source": "chosen: 3 s; the Network Link Conditioner has a preset of this name, whose value was not verified",
  "down": { "rate": "unlimited" },
  "up": { "rate": "unlimited" },
  "dns": { "delay": "3 s" }
}

"""#.utf8)),
    ("high-speed-train.json", ["high speed train", "high-speed-train", "HSR"], Array(#"""
{
  "name": "high speed train",
  "aliases": ["high-speed-train", "HSR"],
  "summary": "LTE at 300 km/h, with a handover every 12 s and a failed one every minute",
  "source": "chosen: cells of 1 km at 300 km/h; that throughput drops, round trips and losses grow and handovers interrupt: Xiao et al., TCP Performance over Mobile Networks in High-speed Mobility Scenarios, ICNP 2014, and Wang et al., An Active-Passive Measurement Study of TCP Performance over LTE on High-speed Rails, MobiCom 2019; faults of requests: 1.5 % of web accesses fail, four in ten of them for want of a name and most others of a connection, Padmanabhan et al., A Study of End-to-End Web Access Failures, CoNEXT 2006; chosen: the kinds of the rest",
  "down": { "rate": "6 Mbit/s", "delay": "60 ms", "jitter": { "pareto": "20 ms" }, "loss": { "mean": "1 %", "burst": 4 } },
  "up": { "rate": "2 Mbit/s", "delay": "65 ms", "jitter": { "pareto": "25 ms" }, "loss": { "mean": "1 %", "burst": 4 } },
  "dns": { "delay": "70 ms" },
  "phases": [
    { "name": "cell 1", "for": "11.6 s" },
    { "name": "handover 1", "for": "0.4 s", "outage": "drop" },
    { "name": "cell 2", "for": "11.6 s" },
    { "name": "handover 2", "for": "0.4 s", "outage": "drop" },
    { "name": "cell 3", "for": "11.6 s" },
    { "name": "handover 3", "for": "0.4 s", "outage": "drop" },
    { "name": "cell 4", "for": "11.6 s" },
    { "name": "handover 4", "for": "0.4 s", "outage": "drop" },
    { "name": "cell edge", "for": "8 s", "down": { "rate": "1 Mbit/s", "loss": { "mean": "5 %", "burst": 6 } }, "up": { "rate": "300 kbit/s", "loss": { "mean": "5 %", "burst": 6 } } },
    { "name": "failed handover", "for": "4 s", "outage": "drop" }
  ],
  "repeat": true,
  "faults": [
    { "probability": "0.6 %", "dnsFailure": true },
    { "probability": "0.5 %", "connectTimeout": true },
    { "probability": "0.1 %", "reset": { "after": "anywhere" } },
    { "probability": "0.1 %", "reset": { "after": "anywhere", "direction": "up" } },
    { "probability": "0.1 %", "stall": { "after": "anywhere", "for": "10 s" } },
    { "probability": "0.1 %", "truncate": { "after": "anywhere" } }
  ]
}

"""#.utf8)),
    ("hotel-wifi.json", ["hotel wifi", "hotel-wifi", "hotel"], Array(#"""
{
  "name": "hotel wifi",
  "aliases": ["hotel-wifi", "hotel"],
  "summary": "the free Wi-Fi of a hotel",
  "source": "rates: average of free hotel Wi-Fi at blog.rottenwifi.com/complimentary-wifi-hotels-average (8.68 and 7.57 Mbit/s); chosen: everything else; faults of requests: 1.5 % of web accesses fail, four in ten of them for want of a name and most others of a connection, Padmanabhan et al., A Study of End-to-End Web Access Failures, CoNEXT 2006; chosen: the kinds of the rest",
  "down": { "rate": "8.68 Mbit/s", "delay": "25 ms", "jitter": { "pareto": "20 ms" }, "loss": { "mean": "1.5 %", "burst": 2 } },
  "up": { "rate": "7.57 Mbit/s", "delay": "25 ms", "jitter": { "pareto": "20 ms" }, "loss": { "mean": "1.5 %", "burst": 2 } },
  "dns": { "delay": "80 ms" },
  "faults": [
    { "probability": "0.6 %", "dnsFailure": true },
    { "probability": "0.4 %", "connectTimeout": true },
    { "probability": "0.1 %", "refused": true },
    { "probability": "0.1 %", "tlsFailure": true },
    { "probability": "0.1 %", "status": { "code": 511 } },
    { "probability": "0.1 %", "reset": { "after": "anywhere" } },
    { "probability": "0.1 %", "truncate": { "after": "anywhere" } },
    { "match": { "scheme": "http" }, "probability": "0.2 %", "corrupt": { "at": "anywhere" } }
  ]
}

"""#.utf8)),
    ("leaving-home.json", ["leaving home", "leaving-home", "walk out"], Array(#"""
{
  "name": "leaving home",
  "aliases": ["leaving-home", "walk out"],
  "summary": "Wi-Fi that fades after 20 s, 3 s of nothing, then 4G",
  "source": "chosen: a walk out of the door; the 4G phase is the profile 4G",
  "down": { "rate": "40 Mbit/s", "delay": "5 ms" },
  "up": { "rate": "33 Mbit/s", "delay": "5 ms" },
  "phases": [
    { "name": "at home", "for": "20 s" },
    { "name": "fading", "for": "6 s", "down": { "rate": "1 Mbit/s", "delay": "25 ms", "jitter": { "pareto": "20 ms" }, "loss": { "mean": "15 %", "burst": 6 } }, "up": { "rate": "500 kbit/s", "delay": "25 ms", "jitter": { "pareto": "20 ms" }, "loss": { "mean": "15 %", "burst": 6 } } },
    { "name": "no network", "for": "3 s", "outage": "drop" },
    { "name": "4G", "for": "60 s", "down": { "rate": "21.3 Mbit/s", "delay": "27 ms", "jitter": { "normal": "6 ms" }, "loss": "0.05 %" }, "up": { "rate": "6.3 Mbit/s", "delay": "28 ms", "jitter": { "normal": "8 ms" }, "loss": "0.05 %" } }
  ]
}

"""#.utf8)),
    ("lighthouse.json", ["lighthouse.mobile-slow-4G", "lighthouse.mobile-regular-3G", "lighthouse.desktop-dense-4G"], Array(#"""
{
  "source": "ChromeDevTools/devtools-frontend, front_end/models/trace/lantern/simulation/Constants.ts at 39d0a40 (as GoogleChrome/lighthouse, core/lib/lantern); 1 kbit is 1024 bit there, decimal here; round trips halved each way",
  "profiles": [
    { "name": "lighthouse.mobile-slow-4G", "summary": "mobileSlow4G as in Lighthouse", "down": { "rate": "1677.722 kbit/s", "delay": "75 ms" }, "up": { "rate": "750 kbit/s", "delay": "75 ms" } },
    { "name": "lighthouse.mobile-regular-3G", "summary": "mobileRegular3G as in Lighthouse", "down": { "rate": "716.8 kbit/s", "delay": "150 ms" }, "up": { "rate": "716.8 kbit/s", "delay": "150 ms" } },
    { "name": "lighthouse.desktop-dense-4G", "summary": "desktopDense4G as in Lighthouse", "down": { "rate": "10485.76 kbit/s", "delay": "20 ms" }, "up": { "rate": "unlimited", "delay": "20 ms" } }
  ]
}

"""#.utf8)),
    ("lossy.json", ["lossy", "packet loss", "packet-loss"], Array(#"""
{
  "name": "lossy",
  "aliases": ["packet loss", "packet-loss"],
  "summary": "a fast network that loses packets in bursts",
  "source": "chosen: 3 % of packets, three in a row, on an otherwise good line",
  "down": { "rate": "20 Mbit/s", "delay": "20 ms", "loss": { "mean": "3 %", "burst": 2 } },
  "up": { "rate": "5 Mbit/s", "delay": "20 ms", "loss": { "mean": "3 %", "burst": 2 } }
}

"""#.utf8)),
    ("offline.json", ["offline", "airplane mode", "no network"], Array(#"""
{
  "name": "offline",
  "aliases": ["airplane mode", "no network"],
  "summary": "the system knows that it has no network",
  "source": "chosen: what airplane mode is to an app",
  "outage": "refuse"
}

"""#.utf8)),
    ("ohhttpstubs.json", ["ohhttpstubs.1KBPS", "ohhttpstubs.slow", "ohhttpstubs.GPRS", "ohhttpstubs.EDGE", "ohhttpstubs.3G", "ohhttpstubs.3G-plus", "ohhttpstubs.wifi"], Array(#"""
{
  "source": "AliSoftware/OHHTTPStubs, Sources/OHHTTPStubs/HTTPStubsResponse.m; a download rate and nothing else",
  "profiles": [
    { "name": "ohhttpstubs.1KBPS", "summary": "1KBPS as in OHHTTPStubs", "down": { "rate": "8 kbit/s" }, "up": { "rate": "unlimited" } },
    { "name": "ohhttpstubs.slow", "summary": "SLOW as in OHHTTPStubs", "down": { "rate": "12 kbit/s" }, "up": { "rate": "unlimited" } },
    { "name": "ohhttpstubs.GPRS", "summary": "GPRS as in OHHTTPStubs", "down": { "rate": "56 kbit/s" }, "up": { "rate": "unlimited" } },
    { "name": "ohhttpstubs.EDGE", "summary": "EDGE as in OHHTTPStubs", "down": { "rate": "128 kbit/s" }, "up": { "rate": "unlimited" } },
    { "name": "ohhttpstubs.3G", "summary": "3G as in OHHTTPStubs", "down": { "rate": "3200 kbit/s" }, "up": { "rate": "unlimited" } },
    { "name": "ohhttpstubs.3G-plus", "summary": "3GPlus as in OHHTTPStubs", "down": { "rate": "7200 kbit/s" }, "up": { "rate": "unlimited" } },
    { "name": "ohhttpstubs.wifi", "summary": "Wifi as in OHHTTPStubs", "down": { "rate": "12000 kbit/s" }, "up": { "rate": "unlimited" } }
  ]
}

"""#.utf8)),
    ("puppeteer.json", ["puppeteer.slow-3G", "puppeteer.fast-3G", "puppeteer.slow-4G", "puppeteer.fast-4G"], Array(#"""
{
  "source": "puppeteer/puppeteer, packages/puppeteer-core/src/cdp/PredefinedNetworkConditions.ts at 38b7a2c; its latency is charged once for each request, as the model devtools does; half of it stands in each direction",
  "profiles": [
    { "name": "puppeteer.slow-3G", "summary": "Slow 3G as in Puppeteer", "model": "devtools", "down": { "rate": "400 kbit/s", "delay": "1000 ms" }, "up": { "rate": "400 kbit/s", "delay": "1000 ms" } },
    { "name": "puppeteer.fast-3G", "summary": "Fast 3G as in Puppeteer", "model": "devtools", "down": { "rate": "1440 kbit/s", "delay": "281.25 ms" }, "up": { "rate": "675 kbit/s", "delay": "281.25 ms" } },
    { "name": "puppeteer.slow-4G", "summary": "Slow 4G as in Puppeteer, the same numbers as Fast 3G", "model": "devtools", "down": { "rate": "1440 kbit/s", "delay": "281.25 ms" }, "up": { "rate": "675 kbit/s", "delay": "281.25 ms" } },
    { "name": "puppeteer.fast-4G", "summary": "Fast 4G as in Puppeteer", "model": "devtools", "down": { "rate": "8100 kbit/s", "delay": "82.5 ms" }, "up": { "rate": "1350 kbit/s", "delay": "82.5 ms" } }
  ]
}

"""#.utf8)),
    ("rural.json", ["rural", "countryside", "one bar"], Array(#"""
{
  "name": "rural",
  "aliases": ["countryside", "one bar"],
  "summary": "one bar of mobile signal far from the mast",
  "source": "chosen: the weak end of LTE, where the radio repeats what it loses and sometimes gives up",
  "down": { "rate": "2 Mbit/s", "delay": "60 ms", "jitter": { "pareto": "25 ms" }, "loss": { "mean": "1.5 %", "burst": 2 } },
  "up": { "rate": "400 kbit/s", "delay": "75 ms", "jitter": { "pareto": "35 ms" }, "loss": { "mean": "2 %", "burst": 2 } }
}

"""#.utf8)),
    ("satellite.json", ["satellite", "GEO", "geostationary"], Array(#"""
{
  "name": "satellite",
  "aliases": ["GEO", "geostationary"],
  "summary": "a geostationary satellite",
  "source": "delay: round trips of around 600 ms, G. Huston, Testing LEO and GEO satellite services in Australia, blog.apnic.net, May 2022; chosen: a tariff of 25 and 3 Mbit/s, jitter and loss",
  "down": { "rate": "25 Mbit/s", "delay": "300 ms", "jitter": { "normal": "10 ms" }, "loss": "0.3 %" },
  "up": { "rate": "3 Mbit/s", "delay": "300 ms", "jitter": { "normal": "20 ms" }, "loss": "0.3 %" }
}

"""#.utf8)),
    ("saucelabs.json", ["saucelabs.no-network", "saucelabs.2G-packet-loss", "saucelabs.2G", "saucelabs.3G-slow", "saucelabs.3G-fast", "saucelabs.4G-slow", "saucelabs.4G-fast"], Array(#"""
{
  "source": "saucelabs/sauce-docs, docs/mobile-apps/features/network-throttling.md at 0e0335c; the latency is taken as a round trip, half each way",
  "profiles": [
    { "name": "saucelabs.no-network", "summary": "no-network as in Sauce Labs, every packet is lost", "down": { "rate": "unlimited", "loss": "100 %" }, "up": { "rate": "unlimited", "loss": "100 %" } },
    { "name": "saucelabs.2G-packet-loss", "summary": "2G-packet-loss as in Sauce Labs", "down": { "rate": "100 kbit/s", "delay": "250 ms", "loss": "10 %" }, "up": { "rate": "50 kbit/s", "delay": "250 ms", "loss": "10 %" } },
    { "name": "saucelabs.2G", "summary": "2G as in Sauce Labs", "down": { "rate": "200 kbit/s", "delay": "150 ms", "loss": "1 %" }, "up": { "rate": "100 kbit/s", "delay": "150 ms", "loss": "1 %" } },
    { "name": "saucelabs.3G-slow", "summary": "3G-slow as in Sauce Labs", "down": { "rate": "500 kbit/s", "delay": "100 ms", "loss": "1 %" }, "up": { "rate": "250 kbit/s", "delay": "100 ms", "loss": "1 %" } },
    { "name": "saucelabs.3G-fast", "summary": "3G-fast as in Sauce Labs", "down": { "rate": "7000 kbit/s", "delay": "50 ms" }, "up": { "rate": "2500 kbit/s", "delay": "50 ms" } },
    { "name": "saucelabs.4G-slow", "summary": "4G-slow as in Sauce Labs", "down": { "rate": "8000 kbit/s", "delay": "50 ms" }, "up": { "rate": "4000 kbit/s", "delay": "50 ms" } },
    { "name": "saucelabs.4G-fast", "summary": "4G-fast as in Sauce Labs", "down": { "rate": "25000 kbit/s", "delay": "15 ms" }, "up": { "rate": "15000 kbit/s", "delay": "15 ms" } }
  ]
}

"""#.utf8)),
    ("sitespeed.json", ["sitespeed.3g", "sitespeed.3gfast", "sitespeed.3gslow", "sitespeed.2g", "sitespeed.cable", "sitespeed.dsl", "sitespeed.3gem", "sitespeed.4g", "sitespeed.lte", "sitespeed.edge", "sitespeed.dial", "sitespeed.fois"], Array(#"""
{
  "source": "sitespeedio/throttle, bin/index.js at 255090d; lib/tc.js and lib/pfctl.js apply half of its rtt each way, which makes half the round trip of the WebPageTest preset of the same name",
  "profiles": [
    { "name": "sitespeed.3g", "summary": "3g as in sitespeed.io throttle", "down": { "rate": "1600 kbit/s", "delay": "75 ms" }, "up": { "rate": "768 kbit/s", "delay": "75 ms" } },
    { "name": "sitespeed.3gfast", "summary": "3gfast as in sitespeed.io throttle", "down": { "rate": "1600 kbit/s", "delay": "37.5 ms" }, "up": { "rate": "768 kbit/s", "delay": "37.5 ms" } },
    { "name": "sitespeed.3gslow", "summary": "3gslow as in sitespeed.io throttle", "down": { "rate": "400 kbit/s", "delay": "100 ms" }, "up": { "rate": "400 kbit/s", "delay": "100 ms" } },
    { "name": "sitespeed.2g", "summary": "2g as in sitespeed.io throttle", "down": { "rate": "280 kbit/s", "delay": "200 ms" }, "up": { "rate": "256 kbit/s", "delay": "200 ms" } },
    { "name": "sitespeed.cable", "summary": "cable as in sitespeed.io throttle", "down": { "rate": "5000 kbit/s", "delay": "7 ms" }, "up": { "rate": "1000 kbit/s", "delay": "7 ms" } },
    { "name": "sitespeed.dsl", "summary": "dsl as in sitespeed.io throttle", "down": { "rate": "1500 kbit/s", "delay": "12.5 ms" }, "up": { "rate": "384 kbit/s", "delay": "12.5 ms" } },
    { "name": "sitespeed.3gem", "summary": "3gem as in sitespeed.io throttle", "down": { "rate": "400 kbit/s", "delay": "100 ms" }, "up": { "rate": "400 kbit/s", "delay": "100 ms" } },
    { "name": "sitespeed.4g", "summary": "4g as in sitespeed.io throttle", "down": { "rate": "9000 kbit/s", "delay": "42.5 ms" }, "up": { "rate": "9000 kbit/s", "delay": "42.5 ms" } },
    { "name": "sitespeed.lte", "summary": "lte as in sitespeed.io throttle", "down": { "rate": "12000 kbit/s", "delay": "17.5 ms" }, "up": { "rate": "12000 kbit/s", "delay": "17.5 ms" } },
    { "name": "sitespeed.edge", "summary": "edge as in sitespeed.io throttle", "down": { "rate": "240 kbit/s", "delay": "210 ms" }, "up": { "rate": "200 kbit/s", "delay": "210 ms" } },
    { "name": "sitespeed.dial", "summary": "dial as in sitespeed.io throttle", "down": { "rate": "49 kbit/s", "delay": "30 ms" }, "up": { "rate": "30 kbit/s", "delay": "30 ms" } },
    { "name": "sitespeed.fois", "summary": "fois as in sitespeed.io throttle", "down": { "rate": "20000 kbit/s", "delay": "1 ms" }, "up": { "rate": "5000 kbit/s", "delay": "1 ms" } }
  ]
}

"""#.utf8)),
    ("starlink.json", ["starlink", "LEO"], Array(#"""
{
  "name": "starlink",
  "aliases": ["LEO"],
  "summary": "a satellite in low orbit, reassigned every 15 s",
  "source": "delay: median round trip of 50 ms, quartiles 40 and 60 ms, Fact checking Starlink's performance figures, blog.apnic.net, November 2022; rates: within the 100 to 200 Mbit/s advertised there; reassignment every 15 s: arXiv:2310.09242; losses in bursts at handovers: A browser-side view of Starlink connectivity, IMC 2022; chosen: their sizes, the way up, the phases",
  "down": { "rate": "150 Mbit/s", "delay": "25 ms", "jitter": { "normal": "5 ms" }, "loss": { "mean": "0.4 %", "burst": 4 } },
  "up": { "rate": "15 Mbit/s", "delay": "25 ms", "jitter": { "normal": "6 ms" }, "loss": { "mean": "0.4 %", "burst": 4 } },
  "phases": [
    { "name": "assigned", "for": "14.8 s" },
    { "name": "reassignment", "for": "0.2 s", "down": { "delay": "45 ms", "loss": { "mean": "50 %", "burst": 20 } }, "up": { "delay": "45 ms", "loss": { "mean": "50 %", "burst": 20 } } }
  ],
  "repeat": true
}

"""#.utf8)),
    ("subway.json", ["subway", "metro", "underground"], Array(#"""
{
  "name": "subway",
  "aliases": ["metro", "underground"],
  "summary": "LTE in the stations, nothing for 75 s between them",
  "source": "chosen: 30 s in a station and 75 s between two; the longest gap in mahimahi's driving trace of AT&T LTE is of the same size, 78 s; faults of requests: 1.5 % of web accesses fail, four in ten of them for want of a name and most others of a connection, Padmanabhan et al., A Study of End-to-End Web Access Failures, CoNEXT 2006; chosen: the kinds of the rest",
  "down": { "rate": "8 Mbit/s", "delay": "40 ms", "jitter": { "normal": "12 ms" }, "loss": { "mean": "0.5 %", "burst": 3 } },
  "up": { "rate": "2 Mbit/s", "delay": "45 ms", "jitter": { "normal": "15 ms" }, "loss": { "mean": "0.5 %", "burst": 3 } },
  "dns": { "delay": "60 ms" },
  "phases": [
    { "name": "station", "for": "30 s" },
    { "name": "leaving", "for": "4 s", "down": { "rate": "600 kbit/s", "loss": { "mean": "10 %", "burst": 5 } }, "up": { "rate": "200 kbit/s", "loss": { "mean": "10 %", "burst": 5 } } },
    { "name": "between stations", "for": "75 s", "outage": "drop" },
    { "name": "arriving", "for": "4 s", "down": { "rate": "1 Mbit/s", "loss": { "mean": "6 %", "burst": 4 } }, "up": { "rate": "300 kbit/s", "loss": { "mean": "6 %", "burst": 4 } } }
  ],
  "repeat": true,
  "faults": [
    { "probability": "0.6 %", "dnsFailure": true },
    { "probability": "0.5 %", "connectTimeout": true },
    { "probability": "0.1 %", "reset": { "after": "anywhere" } },
    { "probability": "0.1 %", "reset": { "after": "anywhere", "direction": "up" } },
    { "probability": "0.1 %", "stall": { "after": "anywhere", "for": "10 s" } },
    { "probability": "0.1 %", "truncate": { "after": "anywhere" } }
  ]
}

"""#.utf8)),
    ("tunnel.json", ["tunnel", "train"], Array(#"""
{
  "name": "tunnel",
  "aliases": ["train"],
  "summary": "LTE on a train; every minute a 12 s tunnel",
  "source": "chosen: LTE at moderate load; a train at 120 km/h is in a tunnel of 400 m for 12 s; faults of requests: 1.5 % of web accesses fail, four in ten of them for want of a name and most others of a connection, Padmanabhan et al., A Study of End-to-End Web Access Failures, CoNEXT 2006; chosen: the kinds of the rest",
  "down": { "rate": "12 Mbit/s", "delay": "35 ms", "jitter": { "normal": "8 ms" }, "loss": "0.1 %", "queue": "100 packets" },
  "up": { "rate": "5 Mbit/s", "delay": "35 ms" },
  "dns": { "delay": "40 ms" },
  "phases": [
    { "name": "open track", "for": "45 s" },
    { "name": "portal", "for": "3 s", "down": { "rate": "240 kbit/s", "loss": { "mean": "8 %", "burst": 4 } } },
    { "name": "tunnel", "for": "12 s", "outage": "drop" }
  ],
  "repeat": true,
  "faults": [
    { "probability": "0.6 %", "dnsFailure": true },
    { "probability": "0.5 %", "connectTimeout": true },
    { "probability": "0.1 %", "reset": { "after": "anywhere" } },
    { "probability": "0.1 %", "reset": { "after": "anywhere", "direction": "up" } },
    { "probability": "0.1 %", "stall": { "after": "anywhere", "for": "10 s" } },
    { "probability": "0.1 %", "truncate": { "after": "anywhere" } }
  ]
}

"""#.utf8)),
    ("unlimited.json", ["unlimited", "none", "perfect", "native"], Array(#"""
{
  "name": "unlimited",
  "aliases": ["none", "perfect", "native"],
  "summary": "no limit, no delay, no loss",
  "source": "by definition",
  "down": { "rate": "unlimited" },
  "up": { "rate": "unlimited" }
}

"""#.utf8)),
    ("very-bad-network.json", ["very bad network", "very-bad-network", "terrible"], Array(#"""
{
  "name": "very bad network",
  "aliases": ["very-bad-network", "terrible"],
  "summary": "half a second each way and every tenth packet lost",
  "source": "Apple's Network Link Conditioner, preset Very Bad Network, as three independent wrapper scripts for dnctl transcribe it; faults of requests: 1.5 % of web accesses fail, four in ten of them for want of a name and most others of a connection, Padmanabhan et al., A Study of End-to-End Web Access Failures, CoNEXT 2006; chosen: the kinds of the rest",
  "down": { "rate": "1 Mbit/s", "delay": "500 ms", "loss": "10 %" },
  "up": { "rate": "1 Mbit/s", "delay": "500 ms", "loss": "10 %" },
  "faults": [
    { "probability": "0.6 %", "dnsFailure": true },
    { "probability": "0.4 %", "connectTimeout": true },
    { "probability": "0.1 %", "refused": true },
    { "probability": "0.1 %", "reset": { "after": "anywhere" } },
    { "probability": "0.1 %", "reset": { "after": "anywhere", "direction": "up" } },
    { "probability": "0.1 %", "stall": { "after": "anywhere", "for": "10 s" } },
    { "probability": "0.1 %", "truncate": { "after": "anywhere" } }
  ]
}

"""#.utf8)),
    ("weak-wifi.json", ["weak wifi", "weak-wifi", "garden wifi"], Array(#"""
{
  "name": "weak wifi",
  "aliases": ["weak-wifi", "garden wifi"],
  "summary": "Wi-Fi two walls away from the access point",
  "source": "chosen: low rates, and losses in bursts when the radio gives up repeating; faults of requests: 1.5 % of web accesses fail, four in ten of them for want of a name and most others of a connection, Padmanabhan et al., A Study of End-to-End Web Access Failures, CoNEXT 2006; chosen: the kinds of the rest",
  "down": { "rate": "4 Mbit/s", "delay": "8 ms", "jitter": { "pareto": "15 ms" }, "loss": { "mean": "3 %", "burst": 2 } },
  "up": { "rate": "1.5 Mbit/s", "delay": "8 ms", "jitter": { "pareto": "20 ms" }, "loss": { "mean": "4 %", "burst": 2 } },
  "faults": [
    { "probability": "0.6 %", "dnsFailure": true },
    { "probability": "0.5 %", "connectTimeout": true },
    { "probability": "0.1 %", "reset": { "after": "anywhere" } },
    { "probability": "0.1 %", "reset": { "after": "anywhere", "direction": "up" } },
    { "probability": "0.2 %", "stall": { "after": "anywhere", "for": "5 s" } }
  ]
}

"""#.utf8)),
    ("webpagetest.json", ["webpagetest.cable", "webpagetest.DSL", "webpagetest.3G-slow", "webpagetest.3G-em", "webpagetest.3G", "webpagetest.3G-fast", "webpagetest.4G", "webpagetest.LTE", "webpagetest.edge", "webpagetest.2G", "webpagetest.dial", "webpagetest.FIOS", "webpagetest.native"], Array(#"""
{
  "source": "WPO-Foundation/webpagetest, www/settings/connectivity.ini.sample at b85d656; its latency is a round trip, half of it each way here",
  "profiles": [
    { "name": "webpagetest.cable", "summary": "Cable as in WebPageTest", "down": { "rate": "5000 kbit/s", "delay": "14 ms" }, "up": { "rate": "1000 kbit/s", "delay": "14 ms" } },
    { "name": "webpagetest.DSL", "summary": "DSL as in WebPageTest", "down": { "rate": "1500 kbit/s", "delay": "25 ms" }, "up": { "rate": "384 kbit/s", "delay": "25 ms" } },
    { "name": "webpagetest.3G-slow", "summary": "3GSlow as in WebPageTest", "down": { "rate": "400 kbit/s", "delay": "200 ms" }, "up": { "rate": "400 kbit/s", "delay": "200 ms" } },
    { "name": "webpagetest.3G-em", "summary": "3G_EM as in WebPageTest", "down": { "rate": "400 kbit/s", "delay": "200 ms" }, "up": { "rate": "400 kbit/s", "delay": "200 ms" } },
    { "name": "webpagetest.3G", "summary": "3G as in WebPageTest", "down": { "rate": "1600 kbit/s", "delay": "150 ms" }, "up": { "rate": "768 kbit/s", "delay": "150 ms" } },
    { "name": "webpagetest.3G-fast", "summary": "3GFast as in WebPageTest", "down": { "rate": "1600 kbit/s", "delay": "75 ms" }, "up": { "rate": "768 kbit/s", "delay": "75 ms" } },
    { "name": "webpagetest.4G", "summary": "4G as in WebPageTest", "down": { "rate": "9000 kbit/s", "delay": "85 ms" }, "up": { "rate": "9000 kbit/s", "delay": "85 ms" } },
    { "name": "webpagetest.LTE", "summary": "LTE as in WebPageTest", "down": { "rate": "12000 kbit/s", "delay": "35 ms" }, "up": { "rate": "12000 kbit/s", "delay": "35 ms" } },
    { "name": "webpagetest.edge", "summary": "Edge as in WebPageTest", "down": { "rate": "240 kbit/s", "delay": "420 ms" }, "up": { "rate": "200 kbit/s", "delay": "420 ms" } },
    { "name": "webpagetest.2G", "summary": "2G as in WebPageTest", "down": { "rate": "280 kbit/s", "delay": "400 ms" }, "up": { "rate": "256 kbit/s", "delay": "400 ms" } },
    { "name": "webpagetest.dial", "summary": "Dial as in WebPageTest", "down": { "rate": "49 kbit/s", "delay": "60 ms" }, "up": { "rate": "30 kbit/s", "delay": "60 ms" } },
    { "name": "webpagetest.FIOS", "summary": "FIOS as in WebPageTest", "down": { "rate": "20000 kbit/s", "delay": "2 ms" }, "up": { "rate": "5000 kbit/s", "delay": "2 ms" } },
    { "name": "webpagetest.native", "summary": "Native as in WebPageTest", "down": { "rate": "unlimited" }, "up": { "rate": "unlimited" } }
  ]
}

"""#.utf8)),
    ("wifi.json", ["wifi", "wi-fi", "WLAN"], Array(#"""
{
  "name": "wifi",
  "aliases": ["wi-fi", "WLAN"],
  "summary": "good Wi-Fi close to the access point",
  "source": "Apple's Network Link Conditioner, preset Wi-Fi, as three independent wrapper scripts for dnctl transcribe it",
  "down": { "rate": "40 Mbit/s", "delay": "1 ms" },
  "up": { "rate": "33 Mbit/s", "delay": "1 ms" }
}

"""#.utf8)),
  ]
}

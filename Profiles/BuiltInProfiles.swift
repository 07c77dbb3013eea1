/// The profiles that come with the package, as the bytes of their JSON files.
public enum BuiltInProfiles {
  /// One file: its name and its bytes.
  public typealias File = (name: String, bytes: [UInt8])
  /// Every file of the folders beside this one, in the order of their names.
  ///
  /// SwiftPM embeds whatever lies in the folders, each file as a member of its own, and Swift cannot list the members of
  /// a type: a new file is one line here, and a test names the file whose line is missing.
  public static let files: [File] = [
    ("airplane-wifi.json", PackageResources.airplane_wifi_json),
    ("android.json", PackageResources.android_json),
    ("apple.json", PackageResources.apple_json),
    ("atc.json", PackageResources.atc_json),
    ("beannetworktester.json", PackageResources.beannetworktester_json),
    ("blackhole.json", PackageResources.blackhole_json),
    ("bufferbloat.json", PackageResources.bufferbloat_json),
    ("cable.json", PackageResources.cable_json),
    ("cafe-wifi.json", PackageResources.cafe_wifi_json),
    ("cellular-2g.json", PackageResources.cellular_2g_json),
    ("cellular-3g.json", PackageResources.cellular_3g_json),
    ("cellular-4g.json", PackageResources.cellular_4g_json),
    ("cellular-5g.json", PackageResources.cellular_5g_json),
    ("cellular-edge.json", PackageResources.cellular_edge_json),
    ("chrome.json", PackageResources.chrome_json),
    ("comcast.json", PackageResources.comcast_json),
    ("conference-wifi.json", PackageResources.conference_wifi_json),
    ("congested.json", PackageResources.congested_json),
    ("dial-up.json", PackageResources.dial_up_json),
    ("driving.json", PackageResources.driving_json),
    ("dsl.json", PackageResources.dsl_json),
    ("elevator.json", PackageResources.elevator_json),
    ("fibre.json", PackageResources.fibre_json),
    ("firefox.json", PackageResources.firefox_json),
    ("flaky.json", PackageResources.flaky_json),
    ("high-latency-dns.json", PackageResources.high_latency_dns_json),
    ("high-speed-train.json", PackageResources.high_speed_train_json),
    ("hotel-wifi.json", PackageResources.hotel_wifi_json),
    ("leaving-home.json", PackageResources.leaving_home_json),
    ("lighthouse.json", PackageResources.lighthouse_json),
    ("lossy.json", PackageResources.lossy_json),
    ("offline.json", PackageResources.offline_json),
    ("ohhttpstubs.json", PackageResources.ohhttpstubs_json),
    ("puppeteer.json", PackageResources.puppeteer_json),
    ("rural.json", PackageResources.rural_json),
    ("satellite.json", PackageResources.satellite_json),
    ("saucelabs.json", PackageResources.saucelabs_json),
    ("sitespeed.json", PackageResources.sitespeed_json),
    ("starlink.json", PackageResources.starlink_json),
    ("subway.json", PackageResources.subway_json),
    ("tunnel.json", PackageResources.tunnel_json),
    ("unlimited.json", PackageResources.unlimited_json),
    ("very-bad-network.json", PackageResources.very_bad_network_json),
    ("weak-wifi.json", PackageResources.weak_wifi_json),
    ("webpagetest.json", PackageResources.webpagetest_json),
    ("wifi.json", PackageResources.wifi_json),
  ]
}

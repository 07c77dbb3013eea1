// swift-tools-version: 6.2
import PackageDescription

/// Every target speaks Swift 6 and names each module it uses, so that a room shows its dependencies.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "network-conditions",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "NetworkConditions", targets: ["NetworkConditions"]),
    .library(name: "LinkSimulator", targets: ["LinkSimulator"]),
    .executable(name: "netcond", targets: ["netcond"]),
  ],
  targets: [
    .target(
      name: "LinkSimulator",
      swiftSettings: settings,
      // Without Foundation nothing else brings the C mathematics that the standard library's rounding needs on Linux.
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]
    ),
    .target(
      name: "BuiltInProfiles",
      path: "Profiles",
      swiftSettings: settings
    ),
    .target(
      name: "NetworkConditions",
      dependencies: ["LinkSimulator", "BuiltInProfiles"],
      swiftSettings: settings
    ),
    .target(name: "LoopbackServer", swiftSettings: settings),
    .executableTarget(name: "netcond", dependencies: ["NetworkConditions", "LinkSimulator"], swiftSettings: settings),
    .executableTarget(
      name: "Benchmarks", dependencies: ["NetworkConditions", "LinkSimulator", "LoopbackServer"],
      swiftSettings: settings),
    .testTarget(name: "LinkSimulatorTests", dependencies: ["LinkSimulator"], swiftSettings: settings),
    .testTarget(
      name: "NetworkConditionsTests",
      dependencies: ["NetworkConditions", "LinkSimulator", "BuiltInProfiles", "LoopbackServer"],
      swiftSettings: settings),
    .testTarget(name: "LoopbackServerTests", dependencies: ["LoopbackServer"], swiftSettings: settings),
  ]
)

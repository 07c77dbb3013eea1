// swift-tools-version: 6.2
import PackageDescription

/// Every target speaks Swift 6 and names each module it uses, so that a room shows its dependencies.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// The same, and optimised in debug builds as well, because a test makes thousands of runs.
///
/// A clean build takes about 25 seconds longer for it on two cores.
/// Assertions stay. Since tools version 6.2 a dependency may have unsafe flags.
let fast =
  settings + [
    .unsafeFlags(["-O", "-assert-config", "Debug"], .when(platforms: [.linux], configuration: .debug))
  ]

let package = Package(
  name: "network-conditions",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "NetworkConditions", targets: ["NetworkConditions"]),
    .library(name: "LinkSimulator", targets: ["LinkSimulator"]),
    .library(name: "ProfileFormats", targets: ["ProfileFormats"]),
    .library(name: "FailureSearch", targets: ["FailureSearch"]),
    .library(name: "NetworkConditionsTesting", targets: ["NetworkConditionsTesting"]),
    .library(name: "NetworkConditionsXCTest", targets: ["NetworkConditionsXCTest"]),
    .library(name: "RetryPolicies", targets: ["RetryPolicies"]),
    .library(name: "RetryBenchmark", targets: ["RetryBenchmark"]),
    .library(name: "TrafficRecording", targets: ["TrafficRecording"]),
    .library(name: "TimelineReports", targets: ["TimelineReports"]),
    .library(name: "NetworkProxy", targets: ["NetworkProxy"]),
    .executable(name: "netcond", targets: ["netcond"]),
  ],
  targets: [
    .target(
      name: "LinkSimulator",
      swiftSettings: fast,
      // Without Foundation nothing else brings the C mathematics that the standard library's rounding needs on Linux.
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]
    ),
    .target(
      name: "BuiltInProfiles",
      path: "Profiles",
      exclude: ["Everyday", "Tools"],
      swiftSettings: settings
    ),
    // Package-only: what several rooms need and no room is about.
    .target(name: "Internals", swiftSettings: fast),
    .target(
      name: "NetworkConditions",
      dependencies: ["LinkSimulator", "BuiltInProfiles", "URLLoading", "Internals", "ClientCapture"],
      swiftSettings: settings
    ),
    .target(
      name: "ProfileFormats", dependencies: ["NetworkConditions", "LinkSimulator", "Internals"], swiftSettings: settings
    ),
    .target(
      name: "FormatFuzzing", dependencies: ["LinkSimulator"], path: "Sources/Development/FormatFuzzing",
      swiftSettings: settings),
    // C: answers the calls of libraries below Swift's runtime.
    .target(name: "Interposition", swiftSettings: settings),
    // Package-only: one scheduler for the threads, queues, clocks and chance of a client. It knows nothing of networks.
    .target(name: "ClientCapture", dependencies: ["Interposition", "Internals"], swiftSettings: settings),
    .target(
      name: "FailureSearch",
      dependencies: ["URLLoading", "Internals", "NetworkConditions", "LinkSimulator", "HTMLPages"],
      swiftSettings: settings),
    .target(
      name: "NetworkConditionsTesting",
      dependencies: [
        "URLLoading", "Internals", "FailureSearch", "NetworkConditions", "LinkSimulator", "TimelineReports",
      ],
      swiftSettings: settings),
    .target(
      name: "NetworkConditionsXCTest",
      dependencies: ["Internals", "FailureSearch", "NetworkConditions", "LinkSimulator"],
      swiftSettings: settings),
    // Package-only: Foundation with URL loading, which is a module of its own on Linux.
    .target(name: "URLLoading", dependencies: ["Internals"], swiftSettings: settings),
    .target(name: "RetryPolicies", dependencies: ["URLLoading", "Internals"], swiftSettings: settings),
    .target(
      name: "RetryBenchmark",
      dependencies: ["URLLoading", "Internals", "RetryPolicies", "NetworkConditions", "LinkSimulator", "HTMLPages"],
      swiftSettings: settings),
    .target(
      name: "TimelineReports", dependencies: ["Internals", "NetworkConditions", "LinkSimulator", "HTMLPages"],
      swiftSettings: settings),
    // C: the system's calls that Swift's modules leave out.
    .target(name: "SystemEvents", swiftSettings: settings),
    .target(
      name: "NetworkProxy",
      dependencies: [
        "URLLoading", "NetworkConditions", "LinkSimulator", "ProfileFormats", "SystemEvents", "ClientCapture",
        "Internals",
      ],
      swiftSettings: settings),
    .target(name: "HTMLPages", dependencies: ["Internals"], swiftSettings: settings),
    .target(
      name: "TrafficRecording", dependencies: ["URLLoading", "NetworkConditions", "LinkSimulator", "Internals"],
      swiftSettings: settings),
    .target(
      name: "LoopbackServer", dependencies: ["Internals"], path: "Sources/Development/LoopbackServer",
      swiftSettings: settings),
    .executableTarget(
      name: "netcond",
      dependencies: [
        "URLLoading",
        "NetworkConditions",
        "LinkSimulator",
        "ProfileFormats",
        "RetryPolicies",
        "RetryBenchmark",
        "TrafficRecording",
        "TimelineReports",
        "FailureSearch",
        "NetworkProxy",
        "ExampleClients",
        "ExampleSearches",
        "ClientCapture",
        "Internals",
      ],
      swiftSettings: settings),
    // Clients that are not written for simulations, nor for Swift 6: as people have them.
    .target(
      name: "ClientShapes", path: "Sources/Development/ClientShapes/Shapes", swiftSettings: [.swiftLanguageMode(.v5)]),
    .target(name: "SystemShapes", path: "Sources/Development/ClientShapes/C", swiftSettings: settings),
    .target(
      name: "SimulatedShapes", dependencies: ["URLLoading", "ClientShapes", "NetworkConditions"],
      path: "Sources/Development/ClientShapes/Simulated", swiftSettings: settings),
    // Depends on nothing: the clients know of no simulation.
    .target(name: "ExampleClients", path: "Sources/Development/Examples/Clients", swiftSettings: settings),
    // A small app, as people write one.
    .target(name: "JournalApp", path: "Sources/Development/Examples/Journal", swiftSettings: settings),
    // They know of none, either: each has a mistake that explorations must find.
    .target(
      name: "PlantedClients", dependencies: ["ExampleClients"], path: "Sources/Development/PlantedClients",
      swiftSettings: settings),
    .target(
      name: "ExampleSearches",
      dependencies: ["URLLoading", "Internals", "ExampleClients", "FailureSearch", "NetworkConditions"],
      path: "Sources/Development/Examples/Searches", swiftSettings: settings),
    .executableTarget(
      name: "Examples", dependencies: ["ExampleClients", "ExampleSearches"],
      path: "Sources/Development/Examples/Command", swiftSettings: settings),
    // Compares pictures of the documentation with those that tests make.
    .target(
      name: "Pictures", dependencies: ["NetworkConditions"], path: "Sources/Development/Pictures",
      swiftSettings: settings),
    // How much the tests try.
    .target(name: "Thoroughness", path: "Sources/Development/Thoroughness", swiftSettings: settings),
    // Prints what the URL loading system does, to be laid beside what the doubles of Apple's do.
    .executableTarget(
      name: "AppleProbe", dependencies: ["URLLoading", "Internals", "LoopbackServer"],
      path: "Sources/Development/AppleProbe", swiftSettings: settings),
    // Depends on nothing, so that it is built in seconds.
    .executableTarget(
      name: "Mutations", path: "Sources/Development/Mutations", exclude: ["Lists"], swiftSettings: settings),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "URLLoading",
        "Internals",
        "NetworkConditions",
        "LinkSimulator",
        "LoopbackServer",
        "RetryBenchmark",
        "ClientShapes",
        "SimulatedShapes",
        "TrafficRecording",
        "ProfileFormats",
        "NetworkProxy",
        "FormatFuzzing",
        "FailureSearch",
        "ExampleClients",
        "ExampleSearches",
        "PlantedClients",
      ],
      path: "Sources/Development/Benchmarks", swiftSettings: settings),
    .testTarget(
      name: "netcondTests",
      dependencies: [
        "URLLoading",
        "netcond",
        "NetworkConditions",
        "LinkSimulator",
        "ProfileFormats",
        "RetryPolicies",
        "RetryBenchmark",
        "TrafficRecording",
        "FailureSearch",
        "LoopbackServer",
        "Internals",
        "Thoroughness",
        "Pictures",
      ],
      swiftSettings: settings),
    .testTarget(name: "MutationsTests", dependencies: ["Mutations"], swiftSettings: settings),
    .testTarget(name: "InternalsTests", dependencies: ["Internals"], swiftSettings: settings),
    .testTarget(
      name: "LinkSimulatorTests", dependencies: ["LinkSimulator", "Thoroughness"], swiftSettings: settings),
    .testTarget(
      name: "NetworkConditionsTests",
      dependencies: [
        "URLLoading",
        "Internals", "ClientCapture", "NetworkConditions", "LinkSimulator", "BuiltInProfiles", "LoopbackServer",
        "TrafficRecording", "Thoroughness",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ProfileFormatsTests",
      dependencies: ["ProfileFormats", "NetworkConditions", "LinkSimulator", "FormatFuzzing", "Thoroughness"],
      swiftSettings: settings),
    .testTarget(
      name: "ClientCaptureTests",
      dependencies: [
        "URLLoading", "ClientCapture", "ClientShapes", "SimulatedShapes", "SystemShapes", "NetworkConditions",
        "Internals", "Thoroughness",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "FailureSearchTests",
      dependencies: [
        "URLLoading", "Internals", "FailureSearch", "NetworkConditions", "LinkSimulator",
        "PlantedClients", "FormatFuzzing", "Thoroughness", "Pictures",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ExamplesTests",
      dependencies: [
        "URLLoading", "ExampleClients", "ExampleSearches", "JournalApp", "Pictures", "FailureSearch",
        "Internals", "NetworkConditionsTesting", "NetworkConditions", "LinkSimulator", "LoopbackServer",
        "RetryBenchmark",
        "RetryPolicies", "NetworkProxy", "ProfileFormats", "TrafficRecording", "TimelineReports", "Thoroughness",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "NetworkConditionsTestingTests",
      dependencies: [
        "URLLoading",
        "Internals", "NetworkConditionsTesting", "FailureSearch", "NetworkConditions", "LinkSimulator", "Thoroughness",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "NetworkConditionsXCTestTests",
      dependencies: [
        "URLLoading", "Internals", "NetworkConditionsXCTest", "FailureSearch", "NetworkConditions", "Pictures",
        "TimelineReports",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "RetryPoliciesTests", dependencies: ["URLLoading", "Internals", "RetryPolicies", "Thoroughness"],
      swiftSettings: settings),
    .testTarget(
      name: "RetryBenchmarkTests",
      dependencies: [
        "URLLoading", "Internals", "RetryBenchmark", "RetryPolicies", "NetworkConditions", "HTMLPages", "FormatFuzzing",
        "Pictures", "Thoroughness",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "TimelineReportsTests",
      dependencies: ["URLLoading", "TimelineReports", "NetworkConditions", "LinkSimulator", "HTMLPages", "Pictures"],
      swiftSettings: settings),
    .testTarget(
      name: "NetworkProxyTests",
      dependencies: [
        "URLLoading", "Internals", "NetworkProxy", "NetworkConditionsTesting", "ClientCapture", "NetworkConditions",
        "LinkSimulator", "LoopbackServer", "FormatFuzzing", "Pictures", "TimelineReports", "Thoroughness",
      ],
      swiftSettings: settings),
    .testTarget(name: "HTMLPagesTests", dependencies: ["HTMLPages"], swiftSettings: settings),
    .testTarget(
      name: "TrafficRecordingTests",
      dependencies: [
        "URLLoading", "TrafficRecording", "NetworkConditions", "LinkSimulator", "LoopbackServer", "FormatFuzzing",
        "Pictures", "TimelineReports",
      ],
      swiftSettings: settings),
    .testTarget(name: "LoopbackServerTests", dependencies: ["LoopbackServer"], swiftSettings: settings),
  ]
)

// `.ci/apple` appends this to the package's manifest, and rewrites the imports to the names of the test doubles. In the
// doubles every module finds Apple's Foundation, Darwin and XCTest.

/// iOS, tvOS, watchOS and visionOS start no processes.
let isDevice = Context.environment["APPLE_DEVICE"] != nil
let doubleSettings = settings + (isDevice ? [.define("APPLE_DEVICE")] : [])

let seen: [Target.Dependency] = ["AppleDarwin", "AppleFoundation"]
for target in package.targets where target.name != "BuiltInProfiles" && target.name != "LinkSimulator" {
  // The double of Foundation takes its locks from Internals, where the thread sanitizer sees them.
  target.dependencies += target.name == "Internals" ? ["AppleDarwin"] : seen
  if target.name.hasPrefix("NetworkConditionsXCTest") { target.dependencies.append("AppleXCTest") }
}
package.targets += [
  .target(name: "AppleDarwin", path: "Tests/Apple/Darwin", swiftSettings: doubleSettings),
  .target(
    name: "AppleFoundation", dependencies: ["AppleDarwin", "Internals"], path: "Tests/Apple/URLLoading",
    swiftSettings: settings),
  .target(name: "LinuxXCTest", path: "Tests/Apple/XCTest/Linux", swiftSettings: settings),
  .target(
    name: "AppleXCTest", dependencies: ["AppleFoundation", "LinuxXCTest"], path: "Tests/Apple/XCTest/Apple",
    swiftSettings: settings),
  .testTarget(
    name: "AppleTests",
    dependencies: seen + [
      "NetworkConditionsXCTest", "FailureSearch", "AppleXCTest", "NetworkConditions", "LinkSimulator", "URLLoading",
      "Internals", "LoopbackServer",
    ],
    path: "Tests/Apple/Tests", swiftSettings: settings),
]

/// Before a landing, only the products and the tests that run are built.
if Context.environment["APPLE_PART"] != nil {
  let tests = ["AppleTests", "NetworkConditionsTests"]
  let tools = ["Benchmarks", "Examples", "Mutations"]
  package.targets.removeAll { ($0.type == .test && !tests.contains($0.name)) || tools.contains($0.name) }
}

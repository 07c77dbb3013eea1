// Appended to the package's own manifest by .ci/apple: every module finds in the doubles what Foundation, Darwin and XCTest
// have on Apple platforms.

let doubles: [Target] = [
  // Its locks are those of the package, which the thread sanitizer sees.
  .target(
    name: "AppleURLLoading", dependencies: ["AppleDarwin", "Internals"], path: "Tests/URLLoading",
    swiftSettings: settings),
  .target(name: "AppleDarwin", path: "Tests/Darwin", swiftSettings: settings),
  .target(name: "LinuxXCTest", path: "Tests/XCTest/Linux", swiftSettings: settings),
  .target(name: "AppleXCTest", dependencies: ["LinuxXCTest"], path: "Tests/XCTest/Apple", swiftSettings: settings),
]
package.targets.removeAll {
  $0.type == .test || ["Benchmarks", "Examples", "ClientShapes", "SimulatedShapes"].contains($0.name)
}
for target in package.targets where !["Interposition", "BuiltInProfiles", "LinkSimulator"].contains(target.name) {
  let seen = target.name == "Internals" ? ["AppleDarwin"] : ["AppleURLLoading", "AppleDarwin"]
  target.dependencies += seen.map { .byName(name: $0) }
  if target.name == "NetworkConditionsXCTest" { target.dependencies.append("AppleXCTest") }
  target.swiftSettings =
    (target.swiftSettings ?? []) + [.unsafeFlags(["-Xfrontend", "-import-module", "-Xfrontend", seen[0]])]
}
package.targets += doubles
/// Tests see the doubles as the libraries do.
func tests(_ name: String, dependencies: [Target.Dependency], path: String) -> Target {
  .testTarget(
    name: name,
    dependencies: dependencies + [
      "AppleURLLoading", "AppleDarwin", "NetworkConditions", "LinkSimulator", "URLLoading", "Internals",
      "LoopbackServer",
    ],
    path: path,
    swiftSettings: settings + [.unsafeFlags(["-Xfrontend", "-import-module", "-Xfrontend", "AppleURLLoading"])])
}
package.targets += [
  tests(
    "AppleTests", dependencies: ["NetworkConditionsXCTest", "FailureSearch", "AppleXCTest"], path: "Tests/Tests"),
  // The suite of Linux, over the doubles.
  tests("ConformanceTests", dependencies: ["BuiltInProfiles", "TrafficRecording"], path: "Tests/Conformance"),
]

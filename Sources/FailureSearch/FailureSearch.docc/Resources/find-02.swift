var search = try FailureSearch("tunnel", seeds: 0..<10_000)
search.code = .test(calling: "try await readFeed(NetworkUnderTest.network)")
let report = try await search.run { network in
  try await readFeed(network, .planted)
}
print(report)

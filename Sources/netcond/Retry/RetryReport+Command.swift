import RetryBenchmark

extension RetryReport {
  /// The command line that makes this report again, its shares put together.
  var command: String {
    var words = ["netcond retry", "--profile \(Self.quoted(profiles.joined(separator: ",")))"]
    words.append("--policy \(Self.quoted(policies.joined(separator: ",")))")
    words.append("--clients \(workload.clients)")
    words.append(
      "--seeds \(seeds.lowerBound == 0 ? "\(seeds.count)" : "\(seeds.lowerBound)..<\(seeds.upperBound)")")
    if workload.requestsPerClient != 1 { words.append("--requests \(workload.requestsPerClient)") }
    if case .poisson(let length) = workload.arrival {
      words.append("--arrival \(Self.quoted("poisson \(Self.time(length))"))")
    }
    if workload.method != "GET" { words.append("--method \(workload.method)") }
    words.append("--get \(Self.quoted("\(workload.responseBytes) B"))")
    if workload.requestBytes > 0 { words.append("--put \(Self.quoted("\(workload.requestBytes) B"))") }
    words.append("--server \(Self.quoted(server.text))")
    if !server.outages.isEmpty { words.append("--outage \(Self.quoted(server.outagesText))") }
    if let deadline = workload.deadline { words.append("--deadline \(Self.quoted(Self.time(deadline)))") }
    if let part = parts.first, parts.count == 1, part.count > 1 {
      words.append("--shard \(part.index + 1)/\(part.count)")
    }
    return words.joined(separator: " ")
  }

  /// A word as the shell takes it.
  private static func quoted(_ text: String) -> String {
    let isPlain = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ",.-_/".contains($0)) }
    let pieces = text.split(separator: "'", omittingEmptySubsequences: false)
    return isPlain && !text.isEmpty ? text : "'\(pieces.joined(separator: "'\\''"))'"
  }
}

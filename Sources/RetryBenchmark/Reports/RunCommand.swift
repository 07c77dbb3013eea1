extension RetryReport {
  /// The command line that makes this report again, its shares put together.
  public var command: String {
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

  /// Nanoseconds in the greatest unit that leaves no fraction, or as a fraction of a microsecond.
  static func time(_ nanoseconds: Int) -> String {
    for (unit, name) in [(60_000_000_000, "min"), (1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "us")]
    where nanoseconds % unit == 0 && nanoseconds > 0 {
      return "\(nanoseconds / unit) \(name)"
    }
    return nanoseconds == 0 ? "0 ms" : "\(Double(nanoseconds) / 1_000) us"
  }

  /// A word as the shell takes it.
  private static func quoted(_ text: String) -> String {
    let isPlain = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ",.-_/".contains($0)) }
    let pieces = text.split(separator: "'", omittingEmptySubsequences: false)
    return isPlain && !text.isEmpty ? text : "'\(pieces.joined(separator: "'\\''"))'"
  }
}

extension ServerModel {
  /// The server as the command line writes it, such as `20 ms, 4 at once, queue 10, 503 after 2 s`.
  public var text: String {
    var parts = [RetryReport.time(serviceTime)]
    if let capacity {
      parts.append("\(capacity) at once")
      switch overload {
      case .queue: parts.append("queue all")
      case .reject(let status, let wait):
        parts.append("queue \(queueLength)")
        parts.append(wait.map { "\(status) after \(RetryReport.time($0))" } ?? "\(status)")
      }
    }
    return parts.joined(separator: ", ")
  }

  /// When the server is down, such as `3 s..10 s`.
  var outagesText: String {
    outages.map { "\(RetryReport.time($0.lowerBound))..\(RetryReport.time($0.upperBound))" }.joined(separator: ", ")
  }
}

import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// Clients that use randomness.

let chanceShapes: [ClientShape] = [
  ClientShape("randomJitter", chance: true) { s in
    let start = Date()
    var attempts = 0
    while attempts < 6 {
      attempts += 1
      if let data = try? checked(try await s.session.data(for: request(s.base.appendingPathComponent("items/5")))) {
        return "\(data.count) after \(attempts) attempts, \(ms(start)) ms"
      }
      try await Task.sleep(nanoseconds: UInt64(Double.random(in: 0.5...1.5) * 1e9))
    }
    return "gave up, \(ms(start)) ms"
  },
  ClientShape("gcdJitter", chance: true) { s in
    await waiting { done in
      let start = Date()
      var generator = SystemRandomNumberGenerator()
      func attempt(_ number: Int) {
        s.session.dataTask(with: request(s.base.appendingPathComponent("items/2"))) { data, response, error in
          if let data = try? result(data, response, error).get() { return done("\(data.count), \(ms(start)) ms") }
          let delay = Int.random(in: 100...900, using: &generator)
          DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(delay)) { attempt(number + 1) }
        }.resume()
      }
      attempt(0)
    }
  },
  ClientShape("uuidKey", chance: true) { s in
    var post = request(s.base.appendingPathComponent("analytics"))
    post.httpMethod = "POST"
    let key = UUID().uuidString
    post.setValue(key, forHTTPHeaderField: "Idempotency-Key")
    post.httpBody = Data("{}".utf8)
    let (_, response) = try await s.session.data(for: post)
    return "\((response as? HTTPURLResponse)?.statusCode ?? 0) \(key.prefix(8))"
  },
  ClientShape("shuffledMirrors", chance: true) { s in
    var texts: [String] = []
    for id in (0..<6).shuffled() {
      let data = try await fetchWithSleeps(s.session, s.base.appendingPathComponent("items/\(id)"))
      texts.append("\(id):\(data.count)")
    }
    return texts.joined(separator: " ")
  },
  ClientShape("setOrder", chance: true) { s in
    // A Set's order is random per process: one trace within a process, unless the order is seeded per instance.
    let names: Set<String> = ["items/0", "items/1", "items/2", "items/3"]
    var sizes: [Int] = []
    for name in names { sizes.append(try await fetchWithSleeps(s.session, s.base.appendingPathComponent(name)).count) }
    return "\(sizes)"
  },
]

package import ExampleClients
package import NetworkConditions
import URLLoading

/// A user asks a model: the app shows the whole answer or reports a failure.
package func readChat(_ network: SimulatedNetwork, _ variant: Variant = .fixed) async throws {
  network.stub(.get, "http://chat.example.com/answer", with: ChatServer.answer)
  let reader = ChatReader(clock: network.clock, variant: variant)
  let words: [String]
  do {
    words = try await reader.words {
      let (bytes, response) = try await network.bytes(from: ChatServer.url)
      return ((response as? HTTPURLResponse)?.statusCode ?? 0, bytes)
    }
  } catch {
    // The app reports a failure, which is correct.
    return
  }
  if words != ChatServer.words { throw ExampleFailure("\(words.count) words, which are not the answer") }
}

/// An answer of 116 words that ends when the connection closes, as from a streaming server.
private enum ChatServer {
  static let url: URL = {
    guard let url = URL(string: "http://chat.example.com/answer") else { preconditionFailure("a constant URL") }
    return url
  }()
  static let words = (0..<29).flatMap { ["the", "answer", "goes", "on \($0)"] }
  static let answer = StubResponse.data(
    Data((words.map { #"{"word": "\#($0)"}"# + "\n" }.joined() + "{}\n").utf8)
  ).framed(.untilClose)
}

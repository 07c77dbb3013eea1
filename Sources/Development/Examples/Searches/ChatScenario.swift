package import ExampleClients
package import NetworkConditions
import URLLoading

/// Somebody asks a model: what is shown as its answer is the whole of it, or the app says that there is none.
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
    // Then the app says that there is no answer, which is true.
    return
  }
  if words != ChatServer.words { throw ExampleFailure("\(words.count) words, which are not the answer") }
}

/// An answer of a hundred and sixteen words, which ends with its connection, as from a server that streams.
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

import Foundation
import LinkSimulator
#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif
struct BodySpool { var d: [Data] = []; mutating func append(_ x: Data) throws { d.append(x) }
  mutating func read(upTo n: Int) throws -> Data { guard !d.isEmpty else { return Data() }; let f = d.removeFirst(); if f.count <= n { return f }; d.insert(f.dropFirst(n), at: 0); return f.prefix(n) } }
final class StubTransport: ImmediateTransport {
  let f: (any Transport)?
  init(fallback: (any Transport)?) { f = fallback }
  func respond(to request: TransportRequest, with reply: any TransportReply) { f!.respond(to: request, with: reply) }
  func respondImmediately(to request: TransportRequest, with reply: any TransportReply) -> Bool {
    if f != nil { return false }
    reply.head(ResponseHead(status: 200, headers: [HeaderField("Content-Length", "11")]))
    reply.body(Data("hello world".utf8)); reply.finish(); return true }
}

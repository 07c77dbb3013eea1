import Foundation
import LinkSimulator

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Tells equal requests apart by their turn, so that chance is keyed by what a request is and not by when it came.
struct RequestIdentities {
  private var counts: [String: Int] = [:]

  /// Which of the requests with this method and URL this is, counted from 1.
  mutating func next(of request: URLRequest) -> Int {
    counts[Self.name(of: request), default: 0] += 1
    return counts[Self.name(of: request), default: 0]
  }

  /// A request's key in every draw.
  func key(of request: URLRequest, occurrence: Int) -> UInt64 {
    KeyedRandom(seed: 0).keyed(by: Self.name(of: request)).keyed(by: UInt64(occurrence)).bits
  }

  private static func name(of request: URLRequest) -> String {
    "\(request.httpMethod ?? "GET") \(request.url?.absoluteString ?? "")"
  }
}

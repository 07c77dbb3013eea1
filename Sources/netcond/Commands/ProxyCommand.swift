import Foundation
import Internals
import NetworkConditions
import NetworkProxy
import URLLoading

struct ProxyCommand: Subcommand {
  static let name = "proxy"
  static let abstract = "run any program's traffic over a profile's network"
  static let usage = ProxyOptions.usage

  func run(_ arguments: Arguments, on console: Console) async throws -> ExitStatus {
    let options = try ProxyOptions(arguments)
    let profile = try ProfileFacts.load(options.profile, at: options.beginning)
    let (stopped, stop) = AsyncStream.makeStream(of: Void.self)
    let interrupt = Interrupt { stop.finish() }
    defer { interrupt.stop() }
    let traces = try TraceFiles(options.traces, on: console)
    defer { traces.discard() }
    let proxy = try NetworkProxy(profile, seed: options.seed, listeningOn: options.listen, timeScale: options.speed)
    defer { proxy.stop() }
    proxy.redact(by: options.redaction)
    if !options.traces.isEmpty { proxy.recordPackets() }
    let activity = Locked(ProxyActivity())
    proxy.observe { event in activity.withLock { $0.apply(event) } }
    for line in try open(proxy, options) { console.error(line + "\n") }
    let display = ProxyDisplay(activity, of: proxy, on: console)
    for await _ in stopped {}
    await display.stop()
    proxy.stop()
    let written = try traces.write(proxy.timeline)
    let report = ProxyReport(timeline: proxy.timeline, traces: written)
    console.show(options.json ? report.json : nil, isTaken: options.takesStandardOutput) { _, _ in report.lines }
    // An interruption is the normal end.
    return .done
  }

  /// Opens the requested forwards and the control API, and returns lines with all addresses.
  private func open(_ proxy: NetworkProxy, _ options: ProxyOptions) throws -> [String] {
    var (ours, fixed): ([SocketAddress], [SocketAddress]) = ([proxy.address], [])
    func words(_ addresses: [SocketAddress]) -> String { addresses.map(\.description).joined(separator: ", ") }
    var lines = [
      "proxy for HTTP and SOCKS5 at \(proxy.address), profile \(proxy.profile.name.printable), seed \(options.seed)"
    ]
    let others = try proxy.profile.rules.map { try $0.profile().name.printable }
    if !others.isEmpty {
      lines.append("the profile's rules send some requests over \(others.joined(separator: ", "))")
    }
    for forward in options.forwards {
      let opened = try proxy.forward(from: forward.local, to: forward.host, port: forward.port)
      fixed.append(opened)
      lines.append("forward \(opened) to \(forward.target.printable)")
    }
    if let control = options.control {
      let opened = try proxy.openControl(on: control)
      ours.append(opened)
      lines.append(
        "control at http://\(opened), like toxiproxy's; netcond's own is below /netcond; "
          + "a proxy made there listens on loopback, or at an address opened here")
    }
    if let path = options.configuration {
      let data = try Input.read(
        path, file: { try Data(ordinaryFile: $0, atMost: 16 << 20) }, stream: { data, _ in data })
      do {
        let opened = try proxy.populate(data)
        fixed += opened
        if !opened.isEmpty { lines.append("proxies of \(Input.name(path)) at \(words(opened))") }
      } catch {
        throw Failure(error).naming(Input.name(path))
      }
    }
    let everything = ", and through it all that this machine can reach, including its own ports"
    for (addresses, reach) in [(ours, everything), (fixed, "")] {
      let open = addresses.filter { !$0.isLoopback }
      if !open.isEmpty { lines.append("warning: other machines can reach \(words(open))\(reach)") }
    }
    return lines + ["Ctrl-C stops it and prints what happened"]
  }
}

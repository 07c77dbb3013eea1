import NetworkConditions
import Testing
import TimelineReports

struct PacketCSVReportTests {
  @Test func `the packet table has every packet of a small transfer with exact times`() async throws {
    let timeline = try await SampleNetworks.plain("/file", recordsPackets: true)
    // The connection's beginning is the same in every row.
    let rows = timeline.packetCSV.split(separator: "\r\n").map {
      String($0).replacing("plain,192.0.2.1,80,0,", with: "")
    }
    #expect(
      rows == [
        "time_s,profile,host,port,connection,direction,event,reason,first_byte,length,acknowledged,congestion_window,"
          + "in_flight,queue",
        "0,up,sent,,0,0,0,10,0,0", "0.05048,up,arrived,,0,0,0,10,0,0", "0.05048,down,sent,,0,0,0,10,0,0",
        "0.10096,up,sent,,0,0,0,10,0,0", "0.10096,up,sent,,0,221,0,10,1,1", "0.10096,down,arrived,,0,0,0,10,1,0",
        "0.151376,up,arrived,,0,0,0,10,0,0", "0.15356,up,arrived,,0,221,0,10,0,0",
        "0.15356,down,sent,,0,0,0,10,0,0", "0.15356,down,sent,,0,81,0,10,1,1", "0.15356,down,sent,,81,1448,0,10,2,2",
        "0.15356,down,sent,,1529,1448,0,10,3,3", "0.15356,down,sent,,2977,104,0,10,4,4",
        "0.15356,down,sent,,3081,5,0,10,5,5", "0.203976,down,arrived,,0,0,221,10,0,0",
        "0.20504,up,sent,,221,0,221,10,0,0", "0.20504,down,arrived,,0,81,221,10,0,0",
        "0.21704,up,sent,,221,0,221,10,0,0", "0.21704,down,arrived,,81,1448,221,10,0,0",
        "0.22904,up,sent,,221,0,221,10,0,0", "0.22904,down,arrived,,1529,1448,221,10,0,0",
        "0.230288,up,sent,,221,0,221,10,0,0", "0.230288,down,arrived,,2977,104,221,10,0,0",
        "0.230744,up,sent,,221,0,221,10,0,0", "0.230744,down,arrived,,3081,5,221,10,0,0",
      ])
  }

  @Test func `the packet table of a run without recorded packets has only its heading`() async throws {
    let timeline = try await SampleNetworks.plain("/file")
    #expect(timeline.packets.isEmpty && timeline.packets(of: timeline.transfers[0]).isEmpty)
    #expect(timeline.packetCSV.split(separator: "\r\n").count == 1)
  }
}

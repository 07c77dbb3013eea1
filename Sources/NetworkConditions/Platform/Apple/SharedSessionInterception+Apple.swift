#if !canImport(FoundationNetworking)
  import URLLoading

  extension SharedSessionInterception {
    static func install(_ slot: AnyClass) -> Bool {
      URLProtocol.registerClass(slot)
    }

    static func remove(_ slot: AnyClass) {
      URLProtocol.unregisterClass(slot)
    }
  }
#endif

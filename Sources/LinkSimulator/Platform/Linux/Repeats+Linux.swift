#if !canImport(Darwin)
  extension PathConfiguration.Repeats {
    /// The behaviour of the Foundation library on this platform.
    public static var platform: Self { .bodiless }
  }
#endif

#if !canImport(Darwin)
  extension PathConfiguration.Repeats {
    /// The behaviour of the platform's own Foundation.
    public static var platform: Self { .bodiless }
  }
#endif

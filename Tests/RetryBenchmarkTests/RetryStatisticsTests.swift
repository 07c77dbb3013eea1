import Testing

/// Groups all tests of a benchmark's statistics and metrics.
struct RetryStatisticsTests {}

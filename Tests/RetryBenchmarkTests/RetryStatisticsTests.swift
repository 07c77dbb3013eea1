import Testing

/// Groups all tests of a benchmark's statistics and metrics.
@Suite struct RetryStatisticsTests {}

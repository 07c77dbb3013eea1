import Testing

/// Everything about the statistics and metrics of a benchmark.
@Suite struct RetryStatisticsTests {}

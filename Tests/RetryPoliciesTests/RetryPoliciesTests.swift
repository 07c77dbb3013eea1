import Testing

/// Retry policies and the client that runs them, without real waits.
struct RetryPoliciesTests {}

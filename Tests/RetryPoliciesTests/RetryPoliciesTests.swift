import Testing

/// Everything about policies and the client that follows them; exact, and without waiting.
@Suite struct RetryPoliciesTests {}

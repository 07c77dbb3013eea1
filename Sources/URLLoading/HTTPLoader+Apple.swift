#if !canImport(FoundationNetworking)
  public import Foundation

  // Foundation provides these three methods. Redeclaring them would make calls ambiguous where both are imported.
  extension URLSession: HTTPLoader {}
#endif

#if !canImport(FoundationNetworking)
  public import Foundation

  // Foundation has the three methods itself. A second one of the same name would be ambiguous where both are imported.
  extension URLSession: HTTPLoader {}
#endif

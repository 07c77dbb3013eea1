/// The profiles that come with the package, as the bytes of their JSON files.
public enum BuiltInProfiles {
  /// One file: its name and its bytes.
  public typealias File = (name: String, bytes: [UInt8])
  /// Every file of this folder, in the order of their names.
  public static let files: [File] = []
}

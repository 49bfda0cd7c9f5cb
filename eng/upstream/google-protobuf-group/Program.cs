using Google.Protobuf;

// A defect of Google.Protobuf 3.36.2, to be reported upstream. C# generates no property for a group, so its field has no accessor that
// can be read, and IsInitialized throws an ArgumentNullException for every message type with a group that is not repeated.
// Google.Protobuf 3.25.1 prints True.
Console.WriteLine(new Holder().IsInitialized());

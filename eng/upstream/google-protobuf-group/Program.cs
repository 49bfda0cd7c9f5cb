using Google.Protobuf;

// IsInitialized of a message with a group that is not repeated, once without and once with the group (README.md).
Console.WriteLine($"Google.Protobuf {typeof(IMessage).Assembly.GetName().Version}: {Holder.Descriptor.FindFieldByNumber(1).FieldType}");
foreach (var holder in new[] { new Holder(), new Holder { Data = new() { A = 1 } } })
{
    try
    {
        Console.WriteLine($"{holder}: {holder.IsInitialized()}");
    }
    catch (Exception e) when (e is ArgumentNullException or InvalidCastException)
    {
        Console.WriteLine($"{holder.GetType().Name}: {e.GetType().Name}: {e.Message}");
    }
}

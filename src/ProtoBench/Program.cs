Console.WriteLine("ProtoBench");

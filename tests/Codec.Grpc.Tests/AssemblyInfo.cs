global using Orders.SlabProtobuf;

// one pool watches the messages of all calls
[assembly: CollectionBehavior(DisableTestParallelization = true)]

global using Orders.SlabProtobuf;

// one pool watches the messages of all calls
[assembly: Xunit.v3.Parallelization(Mode = Xunit.Sdk.ParallelMode.None)]

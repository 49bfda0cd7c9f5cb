global using Orders.Slab;

// one pool watches the messages of all calls
[assembly: CollectionBehavior(DisableTestParallelization = true)]

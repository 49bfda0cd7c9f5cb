// Several tests count allocated bytes, and all share the process's slab pool: one test at a time, or a neighbour's slab is counted.
[assembly: Xunit.v3.Parallelization(Mode = Xunit.Sdk.ParallelMode.None)]

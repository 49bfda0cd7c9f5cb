using System.Runtime.CompilerServices;

// The reader and the writer hand a copy of themselves to their slow paths, so that the loop that reads keeps its position in a register.
// Zeroing those copies beforehand, in every loop, cost 13 % of a decode (19.2 against 16.8 μs on the hive).
[module: SkipLocalsInit]

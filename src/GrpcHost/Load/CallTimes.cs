namespace ProtoBench.GrpcHost;

/// <summary>The times of a call in nanoseconds: intended send, actual send, end, and end of the check of its reply.</summary>
readonly record struct CallTimes(long Intended, long Sent, long End, long Checked);

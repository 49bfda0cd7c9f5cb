# Counts each sample of "perf script -F comm,ip,sym,dso" for one part of a call: the first frame from the innermost that belongs to a part.
# The compiler is left out (jit): a host compiles its code once. Frames that belong to none (copies, page faults, helpers of the runtime) count for their caller.
function part(symbol, dso) {
  if (dso ~ /libclrgc/) return "collector"
  if (dso ~ /libclrjit/) return "jit"
  if (dso ~ /kernel|unknown/ && symbol ~ /futex|schedule|try_to_wake|ttwu|__wake_up|switch_to|finish_task|sched_yield|sched_/) return "handover"
  if (dso ~ /kernel/ && symbol ~ /tcp_|ip_|sock|sendmsg|recvmsg|recvfrom|sendto|fdget|skb|inet|net_|epoll|ep_|copy_(to|from|page)|copyout|_copy_|loopback|__dev_|rep_movs|csum/) return "sockets"
  if (symbol ~ /pthread_|sem_|futex|sched_yield/) return "handover"
  if (symbol ~ /__libc_recv|__send / || dso ~ /libSystem\.Native/ || symbol ~ /System\.Net\.Sockets/ || dso ~ /System\.Net\.Sockets/ || symbol ~ /Kestrel\.Transport/ || dso ~ /Kestrel\.Transport/) return "sockets"
  if (symbol ~ /HiveCaller|StreamCaller|IsRight|StackLoop|CallSchedule|OneCall|CallStatistics|LatencyHistogram|MachineClock/) return "other"
  if (symbol ~ /HiveAnswer|::Answer|HiveService::Make|::Fill\(|SlabStubHandler|GeneratedHandler/) return "handler"
  if (symbol ~ /Google\.Protobuf|ProtoBench\.Codec|ProtoBench\.Gpb|ProtoBench\.SlabProtobuf|\[Messages\]|\[ProtoBench\.Messages\]|\[ProtoBench\.Allocators\]/) return "codec"
  if (symbol ~ /ThreadPool|System\.Threading\.|IOQueue/) return "handover"
  if (symbol ~ /System\.Net\.Http|System\.Net\.Security|Microsoft\.AspNetCore|Microsoft\.Extensions|Grpc\.|System\.IO\.Pipelines|ProtoBench\.Rpc/ || dso ~ /System\.Net\.|Microsoft\.AspNetCore|Microsoft\.Extensions|Grpc\.|System\.IO\.Pipelines|ProtoBench\.Rpc/) return "framing"
  return ""
}
function finish() {
  if (!open) return
  samples[found == "" ? "other" : found]++
  open = 0
}
/^[^ \t]/ { finish(); open = 1; found = /GC/ ? "collector" : /Tiered/ ? "jit" : ""; next }
NF == 0 { finish(); next }
found == "" {
  symbol = $0
  sub(/^[ \t]*[0-9a-f]+ /, "", symbol)
  dso = symbol
  sub(/.*\(/, "(", dso)
  if (symbol ~ /perf-[0-9]+\.map/) dso = "map"
  found = part(symbol, dso)
}
END { finish(); for (name in samples) print name, samples[name] }

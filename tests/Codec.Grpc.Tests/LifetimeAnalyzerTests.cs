using System.Globalization;
using System.Reflection;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;

namespace ProtoBench.Codec.Grpc.Tests;

/// <summary>The analyzer of ProtoBench.Codec.Build reports views that are kept too long, in code with generated messages and stubs, and is
/// quiet on right code.</summary>
public partial class LifetimeAnalyzerTests
{
    // A statement is the body of a method. What begins with "members:" is the content of a class.
    static readonly (string Id, string Code)[] mistakes =
    [
        // a field, a property, a static
        ("SLAB201", "members: Order last; public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) { last = request; return default; }"),
        ("SLAB201", "members: Utf8String last; public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) { last = request.Customer; return default; }"),
        ("SLAB201", "members: ReadOnlyMemory<byte> last; public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) { last = request.Customer.Memory; return default; }"),
        ("SLAB201", "members: object last; public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) { last = request; return default; }"),
        ("SLAB201", "members: Order? Last { get; set; } public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) { Last = request; return default; }"),
        ("SLAB201", "members: static readonly Dictionary<uint, Order> cache = []; public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) { cache[request.Count] = request; return default; }"),
        ("SLAB201", "members: static readonly Dictionary<Utf8String, uint> counts = []; public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) { counts[request.Customer] = request.Count; return default; }"),
        ("SLAB201", "members: readonly ConcurrentDictionary<uint, Order> cache = new(); public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) { cache.TryAdd(request.Count, request); return default; }"),
        ("SLAB201", "members: readonly ConcurrentDictionary<uint, Order> cache = new(); public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) { cache.GetOrAdd(request.Count, _ => request); return default; }"),
        ("SLAB201", "members: readonly List<(uint, Utf8String)> all = []; public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) { all.Add((request.Count, request.Customer)); return default; }"),
        ("SLAB201", "members: record Row(Utf8String Name); readonly List<Row> all = []; public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) { all.Add(new Row(request.Customer)); return default; }"),
        ("SLAB201", "members: sealed class Row { public Utf8String Name { get; set; } } readonly List<Row> all = []; public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) { all.Add(new Row { Name = request.Customer }); return default; }"),
        ("SLAB201", "members: sealed class Row { public Utf8String Name { get; set; } } readonly List<Row> all = []; public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) { var row = new Row(); row.Name = request.Customer; all.Add(row); return default; }"),
        ("SLAB201", "members: readonly Dictionary<uint, List<Order>> groups = []; public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) { if (!groups.TryGetValue(request.Count, out var list)) groups[request.Count] = list = []; list.Add(request); return default; }"),
        ("SLAB201", "members: readonly Channel<Order> work = Channel.CreateUnbounded<Order>(); public override async ValueTask Place(Order request, Receipt reply, ServerCallContext context) => await work.Writer.WriteAsync(request);"),
        ("SLAB201", "members: readonly Channel<Order> work = Channel.CreateUnbounded<Order>(); public override async ValueTask Upload(SlabStreamReader<Order> requests, Receipt reply, ServerCallContext context) { await foreach (var one in requests.ReadAllAsync()) work.Writer.TryWrite(one); }"),
        ("SLAB201", "members: readonly Lazy<Order>[] all = new Lazy<Order>[2]; public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) { all[0] = new Lazy<Order>(() => request); return default; }"),
        ("SLAB201", "members: sealed class Seen { public List<Order> All { get; } = []; } static IServiceProvider services; public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) { services.GetService<Seen>().All.Add(request); return default; }"),
        ("SLAB201", "members: readonly List<IEnumerable<string>> queries = []; public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) { queries.Add(Enumerable.Range(0, 2).Select(_ => request.Customer.ToString())); return default; }"),
        ("SLAB201", "members: readonly AsyncLocal<Order> current = new(); public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) { current.Value = request; return default; }"),
        ("SLAB201", "members: Order? first; public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) { first ??= request; return default; }"),
        ("SLAB201", "members: Order first; uint count; public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) { (first, count) = (request, request.Count); return default; }"),
        ("SLAB201", "members: readonly List<Order> seen = []; void Remember(Order order) => seen.Add(order);"),
        ("SLAB201", "members: readonly List<Order> seen = []; void Remember(Order order) { var list = seen; list.Add(order); }"),

        // a local collection that is used after the end
        ("SLAB201", "var all = new List<Order>(); await foreach (var one in requests.ReadAllAsync()) all.Add(one); Use(all[0].Count);"),
        ("SLAB201", "var all = new List<Order>(); while (await requests.MoveNext(token)) all.Add(requests.Current); Use((uint)all.Count);"),
        ("SLAB201", "var names = new HashSet<Utf8String>(); await foreach (var one in requests.ReadAllAsync()) if (!names.Add(one.Customer)) break;"),
        ("SLAB201", "var names = new Dictionary<uint, Utf8String>(); await foreach (var one in requests.ReadAllAsync()) names[one.Count] = one.Customer; Use((uint)names.Count);"),
        ("SLAB201", "var names = new Utf8String[2]; for (var i = 0; i < 2; i++) { await requests.MoveNext(token); names[i] = requests.Current.Customer; } Use((uint)names[0].Length);"),
        ("SLAB201", "var names = new List<Utf8String>(); for (var i = 0; i < 3; i++) { using var one = Order.Rent(); names.Add(one.Value.Customer); } Use((uint)names[0].Length);"),
        ("SLAB201", "var names = new List<Utf8String>(); using var one = Order.Rent(); for (var i = 0; i < 3; i++) names.Add(one.Parse(bytes).Customer); Use((uint)names[0].Length);"),
        ("SLAB201", "var all = new List<Receipt>(); for (var i = 0u; i < 3; i++) { using var one = await client.PlaceAsync(order); all.Add(one.Value); } Use(all[0].Count);"),
        ("SLAB201", "var all = new List<Receipt>(); using var watch = client.Watch(order); await foreach (var one in watch.ResponseStream.ReadAllAsync()) all.Add(one); foreach (var one in all) Use(one.Count);"),
        ("SLAB201", "var all = new List<Order>(); using var call = SlabTestCalls.ClientStreaming<Order, Receipt>(one => all.Add(one), SlabTestCalls.Unary<Receipt>(reply => { }).ResponseAsync); Use((uint)all.Count);"),
        ("SLAB201", "Order last = default; using var call = SlabTestCalls.ClientStreaming<Order, Receipt>(one => last = one, SlabTestCalls.Unary<Receipt>(reply => { }).ResponseAsync); Use(last.Count);"),
        ("SLAB201", "members: static void Collect(Receipt reply, ICollection<Order> all) { using var order = Order.Rent(); all.Add(order.Value); }"),

        // code that runs later
        ("SLAB202", "members: public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) { _ = Task.Run(() => Use(request.Count)); return default; }"),
        ("SLAB202", "members: public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) { var customer = request.Customer; Task.Run(() => Use((uint)customer.Length)); return default; }"),
        ("SLAB202", "members: public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) { ThreadPool.QueueUserWorkItem(_ => Use(request.Count)); return default; }"),
        ("SLAB202", "members: public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) { new Thread(() => Use(request.Count)).Start(); return default; }"),
        ("SLAB202", "members: public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) { _ = Save(request); return default; } static async Task Save(Order order) { await Task.Yield(); Use(order.Count); }"),
        ("SLAB202", "members: public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) { _ = Task.Delay(1).ContinueWith(_ => Use(request.Count)); return default; }"),
        ("SLAB202", "members: public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) { _ = Task.Run(() => Use(request.Count)).ConfigureAwait(false); return default; }"),
        ("SLAB202", "members: Task work; public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) { work = Task.Run(() => Use(request.Count)); return default; }"),
        ("SLAB202", "members: object timer; public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) { var made = new Timer(_ => Use(request.Count), null, 0, 1); timer = made; return default; }"),
        ("SLAB202", "members: public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) { Save(request); return default; } static async void Save(Order order) { await Task.Yield(); Use(order.Count); }"),
        ("SLAB202", "members: Task work; public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) { work = Save(request); return default; } static async Task Save(Order order) { await Task.Yield(); Use(order.Count); }"),
        ("SLAB202", "members: static void Send() { using var one = Order.Rent(); _ = Save(one); } static async Task Save(Message<Order> order) { await Task.Yield(); Use(order.Value.Count); }"),
        ("SLAB202", "members: event Action Done; public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) { Done += () => Use(request.Count); return default; }"),
        ("SLAB202", "members: Func<uint> last; public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) { last = () => request.Count; return default; }"),
        ("SLAB202", "members: readonly List<Action> jobs = []; public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) { jobs.Add(() => Use(request.Count)); return default; }"),
        ("SLAB202", "await foreach (var one in requests.ReadAllAsync()) _ = Task.Run(() => Use(one.Count));"),
        ("SLAB202", "using var one = Order.Rent(); _ = Task.Run(() => one.Value.Count);"),

        // leaves the method
        ("SLAB203", "members: static Order Read(byte[] bytes) { using var message = Order.Rent(); return message.Parse(bytes); }"),
        ("SLAB203", "members: static Order Read(byte[] bytes) { using var message = Order.Rent(); return message.ParseJson(bytes); }"),
        ("SLAB203", "members: static Utf8String Read(byte[] bytes) { using var message = Order.Rent(); var order = message.Parse(bytes); return order.Customer; }"),
        ("SLAB203", "members: static ReadOnlySpan<byte> Read(byte[] bytes) { using var message = Order.Rent(); return message.Parse(bytes).Customer.Span; }"),
        ("SLAB203", "members: static (uint, Utf8String) Read(byte[] bytes) { using var message = Order.Rent(); var order = message.Parse(bytes); return (order.Count, order.Customer); }"),
        ("SLAB203", "members: static void Read(byte[] bytes, out Order order) { using var message = Order.Rent(); order = message.Parse(bytes); }"),
        ("SLAB203", "members: static Order Read(byte[] bytes) { var message = Order.Rent(); try { return message.Parse(bytes); } finally { message.Dispose(); } }"),
        ("SLAB203", "members: static async Task<Receipt> Ask() { using var reply = await client.PlaceAsync(order); return reply.Value; }"),
        ("SLAB203", "members: static async Task<List<Utf8String>> Ask() { using var reply = await client.PlaceAsync(order); return [reply.Value.Text]; }"),
        ("SLAB203", "members: static List<Utf8String> Names(byte[] bytes) { var names = new List<Utf8String>(); using var message = Order.Rent(); names.Add(message.Parse(bytes).Customer); return names; }"),
        ("SLAB203", "members: static Func<uint> Reader(byte[] bytes) { using var message = Order.Rent(); var order = message.Parse(bytes); return () => order.Count; }"),
        ("SLAB203", "members: static async Task<Receipt> First() { using var watch = client.Watch(order); await watch.ResponseStream.MoveNext(token); return watch.ResponseStream.Current; }"),
        ("SLAB203", "Func<byte[], Order> read = bytes => { using var message = Order.Rent(); return message.Parse(bytes); }; Use(read([]).Count);"),

        ("SLAB203", "members: static Task Send() { using var one = Order.Rent(); return Save(one.Value); } static async Task Save(Order order) { await Task.Yield(); Use(order.Count); }"),
        ("SLAB203", "members: static Task<uint> Send() { using var one = Order.Rent(); return Task.Run(() => one.Value.Count); }"),
        ("SLAB203", "members: static IEnumerable<string> Names() { using var one = Order.Rent(); return Enumerable.Range(0, 2).Select(_ => one.Value.Customer.ToString()); }"),

        // a use after the end
        ("SLAB204", "using var message = Order.Rent(); var one = message.Parse(bytes); message.Parse(bytes); Use(one.Count);"),
        ("SLAB204", "using var message = Order.Rent(); var one = message.ParseJson(bytes); message.ParseJson(bytes); Use(one.Count);"),
        ("SLAB204", "using var message = Order.Rent(); var (one, two) = (message.Parse(bytes), message.Parse(bytes)); Use(one.Count + two.Count);"),
        ("SLAB204", "using var message = Order.Rent(); var name = message.Parse(bytes).Customer; message.Clear(); Use((uint)name.Length);"),
        ("SLAB204", "using var message = Order.Rent(); var name = message.Value.Customer.Span; message.CopyFrom(order); Use((uint)name.Length);"),
        ("SLAB204", "var message = Order.Rent(); var one = message.Value; message.Dispose(); Use(one.Count);"),
        ("SLAB204", "using var message = Order.Rent(); var one = message.Value; if (count > 2) message.MergeFrom(bytes); Use(one.Count);"),
        ("SLAB204", "using var message = Order.Rent(); var one = message.Value; for (var i = 0; i < 2; i++) { Use(one.Count); message.Parse(bytes); }"),
        ("SLAB204", "Order one; using (var message = Order.Rent()) one = message.Value; Use(one.Count);"),
        ("SLAB204", "Order one = default; { using var message = Order.Rent(); one = message.Value; } Use(one.Count);"),
        ("SLAB204", "var same = order; var one = same.Value; order.Clear(); Use(one.Count);"),
        ("SLAB204", "await requests.MoveNext(token); var first = requests.Current; await requests.MoveNext(token); Use(first.Count);"),
        ("SLAB204", "await requests.MoveNext(token); var limit = requests.Current.Limit; while (await requests.MoveNext(token)) Use(limit.Price);"),
        ("SLAB204", "Order last = default; await foreach (var one in requests.ReadAllAsync()) last = one; Use(last.Count);"),
        ("SLAB204", "Order? last = null; await foreach (var one in requests.ReadAllAsync()) { if (last is { } before) Use(before.Count); last = one; }"),
        ("SLAB204", "var next = replies.Next; for (var i = 1u; i <= 2; i++) { next.SetCount(i); await replies.WriteAsync(); }"),
        ("SLAB204", "var next = replies.Next; next.SetCount(1); await replies.WriteAsync(token); next.SetCount(2); await replies.WriteAsync();"),
        ("SLAB204", "using var chat = client.Chat(); var next = chat.RequestStream.Next; next.SetCount(1); await chat.RequestStream.WriteAsync(); next.SetCount(2);"),
        ("SLAB204", "using var message = Order.Rent(); var one = message.Value; Func<uint> read = () => one.Count; message.Clear(); Use(read());"),
        ("SLAB204", "using var message = Order.Rent(); var task = Task.Run(() => message.Value.Count); message.Dispose(); Use(await task);"),
        ("SLAB204", "Receipt one; using (var reply = await client.PlaceAsync(order)) { one = reply.Value; } Use(one.Count);"),
        ("SLAB204", "using var message = Order.Rent(); var one = message.Value; try { message.Parse(bytes); } catch (WireFormatException) { Use(one.Count); }"),
        ("SLAB204", "using var message = Order.Rent(); var one = message.Value; switch (count) { case 1: message.Clear(); break; case 2: return; default: break; } Use(one.Count);"),

        ("SLAB201", "var tasks = new List<Task>(); await foreach (var one in requests.ReadAllAsync()) tasks.Add(Save(one)); await Task.WhenAll(tasks); static async Task Save(Order order) { await Task.Yield(); Use(order.Count); }"),

        // streams
        ("SLAB205", "var all = await requests.ReadAllAsync().ToListAsync(); Use(all[0].Count);"),
        ("SLAB205", "var all = await requests.ReadAllAsync().Select(one => one.Customer).ToArrayAsync(); Use((uint)all.Length);"),
        ("SLAB205", "var all = await requests.ReadAllAsync().Where(one => one.Count > 2).ToDictionaryAsync(one => one.Count); Use((uint)all.Count);"),
        ("SLAB205", "var last = await requests.ReadAllAsync().LastAsync(); Use(last.Count);"),
        ("SLAB205", "await foreach (var group in requests.ReadAllAsync().GroupBy(one => one.Count)) Use(group.Key);"),
        ("SLAB205", "await foreach (var one in requests.ReadAllAsync().OrderBy(one => one.Count)) Use(one.Count);"),
        ("SLAB205", "var all = requests.ReadAllAsync().ToBlockingEnumerable().ToList(); Use(all[0].Count);"),
        ("SLAB205", "var all = await requests.ReadAllAsync().Select(one => (one.Count, one.Customer)).ToListAsync(); Use((uint)all.Count);"),
        ("SLAB205", "await Parallel.ForEachAsync(requests.ReadAllAsync(), async (one, token) => { await Task.Yield(); Use(one.Count); });"),

        // memory of the caller, lists, threads, calls
        ("SLAB206", "using var message = Order.Rent(); var one = message.ParseAlias(bytes); bytes[0] = 1; Use(one.Count);"),
        ("SLAB206", "using var message = Order.Rent(); var input = new byte[9]; var one = message.ParseAlias(input.AsMemory(0, 4)); Array.Clear(input); Use(one.Count);"),
        ("SLAB206", "using var message = Order.Rent(); var input = new byte[9]; var one = message.ParseAlias(input); stream.ReadExactly(input); Use(one.Count);"),
        ("SLAB206", "using var message = Order.Rent(); var input = ArrayPool<byte>.Shared.Rent(9); var one = message.ParseAlias(input); ArrayPool<byte>.Shared.Return(input); Use(one.Count);"),
        ("SLAB208", "using var message = Order.Rent(); Parallel.For(0, 9, i => message.Value.SetCount((uint)i));"),
        ("SLAB208", "using var message = Order.Rent(); var one = message.Value; Parallel.ForEach([1u, 2u], i => one.MutableLimit().SetPrice(i));"),
        ("SLAB209", "using var call = client.PlaceAsync(order); order.Value.SetCount(2); using var reply = await call;"),
        ("SLAB209", "using var call = client.PlaceAsync(order); await call.ResponseHeadersAsync; order.Clear(); using var reply = await call;"),
        ("SLAB209", "var write = replies.WriteAsync(receipt); receipt.Value.SetCount(2); await write;"),
        ("SLAB209", "members: static Task<Message<Receipt>> Ask() { using var order = Order.Rent(); return client.PlaceAsync(order).ResponseAsync; }"),
        ("SLAB210", "members: sealed class Fake : OrderDesk.OrderDeskClient { readonly SlabUnaryCall<Receipt> call = SlabTestCalls.Unary<Receipt>(reply => { }); public override SlabUnaryCall<Receipt> PlaceAsync(Message<Order> request, CallOptions options) { return call; } }"),
        ("SLAB210", "var desk = NSubstitute.Substitute.For<OrderDesk.OrderDeskClient>(); NSubstitute.SubstituteExtensions.ReturnsForAnyArgs(desk.PlaceAsync(default), SlabTestCalls.Unary<Receipt>(reply => { }));"),
        ("SLAB201", "var all = new List<Receipt>(); var writer = SlabTestCalls.Writer<Receipt>(all.Add);"),
        ("SLAB211", "members: sealed class Audit : Interceptor { public override Task<TResponse> UnaryServerHandler<TRequest, TResponse>(TRequest request, ServerCallContext context, UnaryServerMethod<TRequest, TResponse> continuation) { var message = request as Google.Protobuf.IMessage; Console.WriteLine(message); return continuation(request, context); } }"),
        ("SLAB212", "var one = new Order(); one.SetCount(2);"),
    ];

    static readonly string[] rights =
    [
        "var desk = NSubstitute.Substitute.For<OrderDesk.OrderDeskClient>(); NSubstitute.SubstituteExtensions.ReturnsForAnyArgs(desk.PlaceAsync(default), _ => SlabTestCalls.Unary<Receipt>(reply => { }));",
        "var all = new List<string>(); for (var i = 0; i < 2; i++) { using var one = Order.Rent(); all.AddRange(new[] { one.Value }.Select(each => each.Customer.ToString())); } Use((uint)all.Count);",
        "members: readonly List<string> all = []; void Add(Order order) => all.AddRange(new[] { order }.Select(each => each.Customer.ToString()));",
        "members: public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) { var thread = new Thread(() => Use(request.Count)); thread.Start(); thread.Join(); return default; }",
        "members: static async Task Send(SlabStreamWriter<Receipt> replies) { using var one = Receipt.Rent(); Func<Task> send = () => replies.WriteAsync(one); await send(); }",
        "members: static async Task<uint> Send() { using var one = Order.Rent(); var task = Save(one.Value); Use(2); return await task; } static async Task<uint> Save(Order order) { await Task.Yield(); return order.Count; }",
        "members: static Task<uint> Send() { using var one = Order.Rent(); return Task.FromResult(one.Value.Count); }",
        "members: static List<string> Names() { using var one = Order.Rent(); return Enumerable.Range(0, 2).Select(_ => one.Value.Customer.ToString()).ToList(); }",
        "members: string last; public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) { last = request.Customer.ToString(); return default; }",
        "members: readonly Dictionary<uint, Message<Order>> cache = []; public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) { var copy = Order.Rent(); copy.Value.CopyFrom(request); cache[request.Count] = copy; return default; }",
        "members: readonly Message<Order> message = Order.Rent(); Order order; void Read(byte[] bytes) { order = message.Parse(bytes); } uint Count => order.Count;",
        "members: readonly struct Named(Order order) { readonly Order order = order; public string Name => order.Customer.ToString(); } static string Name(Order order) => new Named(order).Name;",
        "members: sealed class Holder { readonly Message<Order> message; readonly Order order; public Holder(Message<Order> message) { this.message = message; order = message.Value; } public uint Count => order.Count; public void End() => message.Dispose(); }",
        "members: public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) { context.UserState[\"order\"] = request; return default; }",
        "members: public override async ValueTask Place(Order request, Receipt reply, ServerCallContext context) { await Task.Run(() => reply.SetCount(request.Count)); }",
        "members: public override async ValueTask Place(Order request, Receipt reply, ServerCallContext context) { var one = Task.Run(() => request.Count); var two = Save(request); await Task.WhenAll(one, two); reply.SetCount(await one); } static async Task Save(Order order) { await Task.Yield(); Use(order.Count); }",
        "members: public override async ValueTask Place(Order request, Receipt reply, ServerCallContext context) { using var end = context.CancellationToken.Register(() => Use(request.Count)); await Task.Yield(); }",
        "members: public override ValueTask Place(Order request, Receipt reply, ServerCallContext context) { var customer = request.Customer.ToString(); _ = Task.Run(() => Console.WriteLine(customer)); return default; }",
        "members: public override Task Watch(Order request, SlabStreamWriter<Receipt> replies, ServerCallContext context) => Send(request, replies); static async Task Send(Order order, SlabStreamWriter<Receipt> replies) { replies.Next.SetCount(order.Count); await replies.WriteAsync(); }",
        "members: static Order Larger(Order left, Order right) => left.Count > right.Count ? left : right; static List<Utf8String> Names(Order order) => [order.Customer, order.Article];",
        "members: static Message<Order> Read(byte[] bytes) { var message = Order.Rent(); try { message.Parse(bytes); return message; } catch { message.Dispose(); throw; } }",
        "members: static void Collect(Order order, ICollection<Utf8String> names) => names.Add(order.Customer);",
        "members: readonly ConcurrentDictionary<uint, uint> counts = new(); void Count(Order order) { counts.AddOrUpdate(order.Count, _ => order.Count, (_, before) => before + order.Count); counts.GetOrAdd(1, _ => order.Count); }",
        "members: sealed class Both : Interceptor { static string Text(object request) => request is Google.Protobuf.IMessage google ? google.ToString() : request is GrpcMessage slab ? slab.ToJson() : \"\"; }",
        "members: sealed record Row(string Customer, uint Count); static Row Map(Order order) => new(order.Customer.ToString(), order.Count); readonly List<Row> rows = []; void Add(Order order) => rows.Add(Map(order));",
        "var names = new List<Utf8String>(); using var message = Order.Rent(); var one = message.Parse(bytes); names.Add(one.Customer); names.Add(one.Article); foreach (var name in names) Use((uint)name.Length);",
        "var counts = new List<uint>(); await foreach (var one in requests.ReadAllAsync()) counts.Add(one.Count); Use(counts[0]);",
        "var all = new List<Message<Order>>(); while (await requests.MoveNext(token)) all.Add(requests.TakeCurrent()); foreach (var one in all) { Use(one.Value.Count); one.Dispose(); }",
        "await requests.MoveNext(token); var one = requests.Current; using var taken = requests.TakeCurrent(); await requests.MoveNext(token); Use(one.Count);",
        "using var message = Order.Rent(); Order one; for (var i = 0; i < 2; i++) { one = message.Parse(bytes); Use(one.Count); }",
        "using var message = Order.Rent(); var one = message.Value; while (message.TryParseDelimited(stream)) { one = message.Value; Use(one.Count); }",
        "var next = replies.Next; next.SetCount(1); next.SetText(\"a\"); await replies.WriteAsync(); next = replies.Next; next.SetCount(2); await replies.WriteAsync();",
        "using var message = Order.Rent(); var one = message.Value; one.SetCustomer(\"Ada\"); one.MutableLimit().SetPrice(2); one.Clear(); Use(one.Count);",
        "var counts = await requests.ReadAllAsync().Select(one => one.Count).ToListAsync(); Use(counts[0]);",
        "var names = await requests.ReadAllAsync().ToDictionaryAsync(one => one.Count, one => one.Customer.ToString()); Use((uint)names.Count);",
        "var sum = await requests.ReadAllAsync().Where(one => one.Count > 2).Select(one => (int)one.Count).SumAsync(); Use((uint)sum); Use((uint)await requests.ReadAllAsync().CountAsync());",
        "var groups = await requests.ReadAllAsync().Select(one => (one.Count, Name: one.Customer.ToString())).GroupBy(one => one.Name).ToListAsync(); Use((uint)groups.Count);",
        "using var reply = await client.PlaceAsync(order); order.Value.SetCount(2);",
        "using var call = client.PlaceAsync(order); using var reply = await call; order.Value.SetCount(2);",
        "using var call = client.PlaceAsync(order); using var reply = await call.ResponseAsync; order.Clear();",
        "using var watch = client.Watch(order); await watch.ResponseStream.MoveNext(token); order.Value.SetCount(2);",
        "using var one = client.PlaceAsync(order); using var two = client.PlaceAsync(order); await Task.WhenAll(one.ResponseHeadersAsync, two.ResponseHeadersAsync); using var first = await one; using var second = await two; order.Clear();",
        "using var message = Order.Rent(); var input = new byte[9]; var one = message.Parse(input.AsSpan()); Array.Clear(input); Use(one.Count);",
        "using var message = Order.Rent(); var input = new byte[9]; for (var i = 0; i < 2; i++) { stream.ReadExactly(input); Use(message.ParseAlias(input).Count); }",
        "var gate = new Lock(); using var message = Order.Rent(); var one = message.Value; Parallel.For(0, 9, i => { lock (gate) one.SetCount((uint)i); }); Parallel.For(0, 9, i => Use(one.Count));",
        "using var message = Order.Rent(); using var other = Order.Rent(); var one = message.Parse(bytes); other.CopyFrom(message); other.Clear(); Use(one.Count);",
        "using var message = Order.Rent(); var one = message.Value; if (count > 2) { message.Parse(bytes); return; } Use(one.Count);",
        "using var message = Order.Rent(); var one = message.Value; try { Use(one.Count); } finally { message.Clear(); }",
        "Order one; var message = Order.Rent(); one = message.Value; message = Order.Rent(); Use(one.Count); message.Dispose();",
        "var made = Order.Rent().Fill(one => { one.SetCount(2); one.MutableLimit().Fill(limit => limit.SetPrice(one.Count)); }); made.Dispose();",
        "var batch = new List<Order>(); await foreach (var one in requests.ReadAllAsync()) { batch.Add(one); foreach (var other in batch) Use(other.Count); batch.Clear(); }",
        "var seen = new HashSet<string>(); await foreach (var one in requests.ReadAllAsync()) if (seen.Add(one.Customer.ToString())) Use(one.Count);",
        "await foreach (var one in requests.ReadAllAsync()) { var name = one.Customer; var limit = one.Limit; replies.Next.SetText(name); replies.Next.SetCount(limit.Price); await replies.WriteAsync(); }",
        "Func<Order, uint> map = one => one.Count; Use(map(order.Value)); Order one = default; Use(one == order.Value ? 1u : 0);",
        "using var message = Order.Rent(); Use(message.Value switch { { Count: > 2 } one => one.Count, var one => one.Limit.Price });",
    ];

    // Each is a mistake that no sentence of a compiler can know.
    static readonly Dictionary<string, string> unseen = new()
    {
        ["the reply also has the count"] = "setting two fields of a reply is the usual code; only the author knows that one of them was to be empty",
    };

    [Fact]
    public async Task Each_mistake_is_reported()
    {
        var reported = await ReportedAsync(Program(mistakes.Select(one => one.Code)));
        Assert.All(mistakes, (mistake, i) =>
            Assert.Equal([mistake.Id], reported.Where(one => one.Example == i).Select(one => one.Id).Distinct()));
    }

    [Fact]
    public async Task What_does_not_compile_is_translated()
    {
        (string Code, string Written)[] calls =
        [
            ("order.Customer = text;", "order.SetCustomer(text)"),
            ("var desk = default(Orders.SlabProtobuf.Order); if (desk.Limit == null) Use(text);", "!desk.HasLimit"),
            ("if (null != line) Use(text);", "line.IsSet"),
            ("var desk = default(Orders.SlabProtobuf.Order); desk.Limit = new();", "desk.MutableLimit().Fill(one => ...)"),
            ("order.Lines.Add(new Order.Types.Line());", "order.AddLines().Fill(one => ...)"),
            ("order.Lines.AddRange(order.Lines);", "foreach (var one in order.Lines) order.AddLines(one);"),
            ("order.Lines[0].Count += 2;", "order.Lines[0].SetCount(order.Lines[0].Count + 2)"),
            ("order.Lines[0].Count++;", "order.Lines[0].SetCount(order.Lines[0].Count + 1)"),
            ("order.Lines.Add(line);", "order.AddLines(line)"),
            ("order.Lines.Clear();", "order.ClearLines()"),
            ("order.Lines.RemoveAt(1);", "order.RemoveLinesAt(1)"),
            ("receipt.Articles.Add(text, 2);", "receipt.SetArticles(text, 2)"),
            ("receipt.Articles.Remove(text);", "receipt.RemoveArticles(text)"),
            ("_ = receipt.Articles.ContainsKey(text);", "receipt.TryGetArticles(text, out _)"),
            ("_ = order.CalculateSize();", "message.CalculateSize()"),
            ("var other = order.Clone();", "copy.CopyFrom(order)"),
        ];
        var reported = await ReportedAsync(Tutorial(calls.Select(one => one.Code)), hasErrors: true);
        Assert.All(calls, (call, i) => Assert.Contains($"'{call.Written}'",
            Assert.Single(reported, one => one.Example == i && one.Id == "SLAB213").Text, StringComparison.Ordinal));
    }

    [Fact]
    public async Task Right_code_is_not_reported()
    {
        var reported = await ReportedAsync(Program(rights));
        Assert.Equal("", Lines(reported, rights));
    }

    [Theory]
    [InlineData("grpc.md")]
    [InlineData("codec.md")]
    public async Task The_wrong_examples_of_a_page_are_reported_and_the_right_ones_are_not(string page)
    {
        var examples = Examples(page);
        Assert.True(examples.Length >= 10, $"{examples.Length} examples");
        var reported = await ReportedAsync(page == "grpc.md" ? DocumentTests.Program(examples) : Tutorial(examples));
        Assert.All(examples, (example, i) =>
        {
            var isExpected = example.StartsWith("// wrong", StringComparison.Ordinal) && !unseen.Keys.Any(comment => example.Contains(comment, StringComparison.Ordinal));
            Assert.True(reported.Any(one => one.Example == i) == isExpected, $"{Lines(reported.Where(one => one.Example == i), examples)}\n{example}");
        });
    }

    [Fact]
    public async Task The_other_examples_of_the_tutorial_are_quiet()
    {
        var text = (await File.ReadAllTextAsync(Path.Combine(Golden.Root, "docs", "codec.md"))).ReplaceLineEndings("\n");
        var methods = Example().Matches(text).Select(match => match.Groups["code"].Value)
            .Where(code => code.StartsWith("static ", StringComparison.Ordinal)).ToList();
        Assert.True(methods.Count >= 3, $"{methods.Count} methods");
        var handler = Example().Match(text).Groups["code"].Value.Replace("using ProtoBench.Codec;\nusing Shop;", "", StringComparison.Ordinal);
        Assert.Contains("app.MapPost", handler, StringComparison.Ordinal);
        var reported = await ReportedAsync($$"""
            using System;
            using System.Buffers;
            using System.IO;
            using System.IO.Pipelines;
            using System.Linq;
            using System.Text.Json;
            using System.Threading.Tasks;
            using Microsoft.AspNetCore.Builder;
            using Microsoft.AspNetCore.Http;
            using ProtoBench.Codec;
            using ProtoBench.Codec.WellKnownTypes;
            using Shop;
            using Xunit;

            static class Examples
            {
            {{string.Join('\n', methods)}}
            static void Program(string[] args)
            {
            {{handler}}
            }
            }
            """);
        Assert.Equal("", string.Join('\n', reported.Select(one => one.Text)));
    }

    [Fact]
    public async Task The_tables_of_the_guide_are_quiet()
    {
        var reported = await ReportedAsync(DocumentTests.Tables());
        Assert.Equal("", string.Join('\n', reported.Select(one => one.Text)));
    }

    [Fact]
    public async Task A_sentence_says_what_ends_and_what_to_write()
    {
        var reported = await ReportedAsync(Program(mistakes.Select(one => one.Code)));
        Golden.Check("lifetimes.txt", string.Concat(reported.OrderBy(one => one.Example)
            .Select(one => $"{one.Id}: {Line().Replace(one.Text, "(line #)")}\n").Distinct()));
    }

    static string Lines(IEnumerable<(int Example, string Id, string Text)> reported, string[] examples) =>
        string.Join('\n', reported.Select(one => $"{one.Id} {one.Text}\n  {(one.Example < 0 ? "" : examples[one.Example])}"));

    static string[] Examples(string page)
    {
        var text = File.ReadAllText(Path.Combine(Golden.Root, "docs", page)).ReplaceLineEndings("\n");
        return [.. Example().Matches(text).Select(match => match.Groups["code"].Value)
            .Where(code => code.StartsWith("// wrong", StringComparison.Ordinal) || code.StartsWith("// right", StringComparison.Ordinal))];
    }

    static string Program(IEnumerable<string> codes) => """
        using System.Buffers;
        using System.Collections.Concurrent;
        using System.Collections.Generic;
        using System.IO;
        using System.Threading.Channels;

        """ + DocumentTests.Usings + "namespace To\n{\nusing Orders.SlabProtobuf;\nstatic class Examples\n{\n" + DocumentTests.Variables + DocumentTests.Ours
        + "static byte[] bytes; static Stream stream;\n"
        + string.Concat(codes.Select((code, i) => code.StartsWith("members:", StringComparison.Ordinal)
            ? $"class Part{i} : OrderDesk.OrderDeskBase {{ {code["members:".Length..]} }}\n" : $"static async Task Example{i}() {{ {code} }}\n")) + "}\n}\n";

    static string Tutorial(IEnumerable<string> examples) => $$"""
        using System;
        using System.Threading.Tasks;
        using Shop;

        static class Examples
        {
            static byte[] bytes, first, second, buffer;
            static string text;
            static Order order;
            static Order.Types.Line line;
            static Receipt receipt;
            static void Use(string text) { }
            static void Use(ReadOnlySpan<byte> utf8) { }
            static void Use(byte[] message) { }
        {{string.Concat(examples.Select((example, i) => $"static void Example{i}()\n{{\n{example}\n}}\n"))}}
        }
        """;

    static async Task<IReadOnlyList<(int Example, string Id, string Text)>> ReportedAsync(string source, bool hasErrors = false)
    {
        var tree = CSharpSyntaxTree.ParseText(source);
        var references = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Select(path => MetadataReference.CreateFromFile(path));
        var compilation = CSharpCompilation.Create("page", [tree], references, new(OutputKind.DynamicallyLinkedLibrary));
        if (!hasErrors) Assert.Equal("", string.Join('\n', compilation.GetDiagnostics().Where(one => one.Severity == DiagnosticSeverity.Error)));
        var path = typeof(LifetimeAnalyzerTests).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
            .Single(fact => fact.Key == "LifetimeAnalyzer").Value!;
        var analyzers = Assembly.LoadFrom(path).GetTypes().Where(type => type.IsSubclassOf(typeof(DiagnosticAnalyzer)))
            .Select(type => (DiagnosticAnalyzer)Activator.CreateInstance(type)!);
        var reported = await compilation.WithAnalyzers([.. analyzers]).GetAnalyzerDiagnosticsAsync();
        return [.. reported.Select(one => (ExampleAt(tree, one.Location), one.Id, one.GetMessage(CultureInfo.InvariantCulture)))];
    }

    /// <summary>Gets the number of an example, which is in the name of its method or of its class.</summary>
    static int ExampleAt(SyntaxTree tree, Location location) => location == Location.None ? -1 :
        tree.GetRoot().FindNode(location.SourceSpan).AncestorsAndSelf().OfType<MemberDeclarationSyntax>()
            .Select(member => Number().Match((member as MethodDeclarationSyntax)?.Identifier.Text
                ?? (member as BaseTypeDeclarationSyntax)?.Identifier.Text ?? ""))
            .Where(match => match.Success).Select(match => int.Parse(match.Groups["number"].ValueSpan)).DefaultIfEmpty(-1).First();

    [GeneratedRegex("^(Example|Part)(?<number>[0-9]+)$")]
    private static partial Regex Number();

    [GeneratedRegex(@"\(line [0-9]+\)")]
    private static partial Regex Line();

    [GeneratedRegex("```csharp\n(?<code>.*?)```", RegexOptions.Singleline)]
    private static partial Regex Example();
}

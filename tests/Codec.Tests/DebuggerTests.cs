using System.Diagnostics;
using System.Reflection;
using System.Text.RegularExpressions;
using ProtoBench.SlabProtobuf;

namespace ProtoBench.Codec.Tests;

/// <summary>What a debugger shows, found as a debugger does: by the attributes.</summary>
public partial class DebuggerTests
{
    [Fact]
    public void A_message_is_shown_as_its_text_in_one_line()
    {
        var message = Animal.Rent();
        message.Value.SetName("a \"b\"\n");
        message.Value.AddYoung().SetName("y");
        const string text = """name: "a \"b\"\012" young { name: "y" }""";
        var (view, young) = (message.Value, message.Value.Young);
        Assert.Equal(text, Display(message));
        Assert.Equal(text, Display(view));
        Assert.Equal("name: \"y\"", Display(view.Young[0]));
        var mother = view.Mother;
        Assert.Equal("not set", Display(mother));
        Assert.Equal("default: no message", Display(default(Animal)));
        Assert.Equal("released", Display(default(Message<Animal>)));
        var proxy = Proxy(message);
        Assert.Equal(view.ToString(), Member(proxy, "Text"));
        Assert.Equal(view, Member(proxy, "Value"));

        message.Dispose();
        Assert.Equal("released", Display(message));
        Assert.Equal("released, cleared or parsed again", Display(view));
        Assert.Equal("released, cleared or parsed again", Display(mother));
        Assert.Null(Member(Proxy(message), "Value"));
        Assert.Equal("", Member(Proxy(message), "Text"));
        Assert.Equal("Count = 1", Display(young));
    }

    [Fact]
    public void A_message_that_is_nested_too_deep_for_the_stack_is_shown_nevertheless()
    {
        using var message = Animal.Rent();
        var animal = message.Value;
        for (var depth = 0; depth < 20_000; depth++) animal = animal.MutableMother();
        var (shown, refusal) = ("", default(Exception));
        var thread = new Thread(() => refusal = Record.Exception(() => shown = Display(message)), maxStackSize: 1024 * 1024);
        thread.Start();
        thread.Join();
        Assert.Equal(("nested too deep", null), (shown, refusal));
    }

    [Fact]
    public void Lists_and_maps_are_shown_by_their_elements()
    {
        using var lists = Unpacked.Rent();
        lists.Value.AddStringValues("one");
        lists.Value.AddStringValues("two");
        lists.Value.AddBytesValues([1, 2]);
        using var zoo = Zoo.Rent();
        zoo.Value.AddCages().SetLabel("c");
        zoo.Value.SetVisitors("Ann", 5);
        Assert.Equal("Count = 2", Display(lists.Value.StringValues));
        Assert.Equal(["one", "two"], Elements(lists.Value.StringValues));
        Assert.Equal([new byte[] { 1, 2 }], Elements(lists.Value.BytesValues));
        Assert.Equal([zoo.Value.Cages[0]], Elements(zoo.Value.Cages));
        Assert.Equal("Count = 1", Display(zoo.Value.Visitors));
        Assert.Equal("Ann: 5", Display(Assert.Single(Elements(zoo.Value.Visitors))!));
    }

    [Fact]
    public void The_fields_of_a_view_are_not_shown_beside_its_properties()
    {
        var shown = typeof(Animal).GetFields(BindingFlags.Instance | BindingFlags.NonPublic)
            .Select(field => field.GetCustomAttribute<DebuggerBrowsableAttribute>()?.State);
        Assert.Equal(Enumerable.Repeat<DebuggerBrowsableState?>(DebuggerBrowsableState.Never, 3), shown);
    }

    static string Display(object target)
    {
        var attribute = target.GetType().GetCustomAttribute<DebuggerDisplayAttribute>()!;
        return Hole().Replace(attribute.Value!, hole => Member(target, hole.Groups["name"].Value)?.ToString() ?? "null");
    }

    static object Proxy(object target)
    {
        var type = Type.GetType(target.GetType().GetCustomAttribute<DebuggerTypeProxyAttribute>()!.ProxyTypeName)!;
        if (type.IsGenericTypeDefinition) type = type.MakeGenericType(target.GetType().GetGenericArguments());
        return Activator.CreateInstance(type, target)!;
    }

    static IEnumerable<object?> Elements(object list)
    {
        var proxy = Proxy(list);
        var member = Assert.Single(proxy.GetType().GetProperties(),
            one => one.GetCustomAttribute<DebuggerBrowsableAttribute>()?.State == DebuggerBrowsableState.RootHidden);
        return ((Array)member.GetValue(proxy)!).Cast<object?>();
    }

    static object? Member(object target, string name) =>
        target.GetType().GetProperty(name, BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic)!.GetValue(target);

    [GeneratedRegex(@"\{(?<name>\w+)(,nq)?\}")]
    private static partial Regex Hole();
}

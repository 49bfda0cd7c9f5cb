using Spectre.Console;

namespace ProtoBench.GrpcHost;

/// <summary>On stderr, so that it is not part of a report. Without a terminal, a line every ten seconds.</summary>
static class Progress
{
    static readonly IAnsiConsole terminal = AnsiConsole.Create(new AnsiConsoleSettings { Out = new AnsiConsoleOutput(Console.Error) });

    /// <param name="work">The work. It passes a function that returns its progress.</param>
    public static async Task<T> ShowAsync<T>(string name, Func<Action<Func<long>>, Task<T>> work, long? total, string unit = "calls")
    {
        Func<long> succeeded = () => 0;
        var running = work(count => succeeded = count);
        if (Console.IsErrorRedirected)
        {
            while (await Task.WhenAny(running, Task.Delay(TimeSpan.FromSeconds(10))) != running)
                await Console.Error.WriteLineAsync(Text());
            return await running;
        }

        await terminal.Status().StartAsync(Markup.Escape(name), async status =>
        {
            while (await Task.WhenAny(running, Task.Delay(TimeSpan.FromMilliseconds(250))) != running)
                status.Status(Markup.Escape(Text()));
        });
        return await running;

        string Text() => $"{name}: {succeeded():N0}{(total is { } all ? $" of {all:N0}" : "")} {unit}";
    }
}

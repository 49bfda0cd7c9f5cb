using Spectre.Console;

namespace ProtoBench.GrpcHost;

/// <summary>On stderr, so that it is not part of a report. Without a terminal, a line every ten seconds.</summary>
static class Progress
{
    static readonly IAnsiConsole terminal = AnsiConsole.Create(new AnsiConsoleSettings { Out = new AnsiConsoleOutput(Console.Error) });

    /// <param name="work">The work. It passes a function that returns what is done, such as "3 of 8 loads".</param>
    public static async Task<T> ShowAsync<T>(string name, Func<Action<Func<string>>, Task<T>> work)
    {
        Func<string> done = () => "starting";
        var running = work(text => done = text);
        if (Console.IsErrorRedirected || OneProcess.Current.Value is not null)
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

        string Text() => $"{name}: {done()}";
    }
}

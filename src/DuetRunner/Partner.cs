using System.Diagnostics;
using System.IO.Pipes;
using System.Text;

namespace ProtoBench.DuetRunner;

/// <summary>What one of two runners tells the other about its warm cell.</summary>
/// <param name="Error">Why it cannot be measured; null where it can.</param>
/// <param name="CallNanoseconds">The time of a call.</param>
/// <param name="BytesPerOperation">Allocated bytes.</param>
/// <param name="Waits">Whether elapsed time has to be measured.</param>
/// <param name="Core">The core that it runs on.</param>
readonly record struct PartnerFacts(string? Error, double CallNanoseconds, double BytesPerOperation, bool Waits, int Core);

/// <summary>The other one of two runners that take turns, at the end of a pipe.</summary>
sealed class Partner : IDisposable
{
    const byte turn = 1;
    const byte end = 2;

    readonly PipeStream pipe;
    readonly byte[] one = new byte[1];

    Partner(PipeStream pipe) => this.pipe = pipe;

    /// <summary>Waits for the other runner.</summary>
    /// <param name="name">The pipe.</param>
    /// <param name="opens">Which of the two opens it.</param>
    public static Partner Meet(string name, bool opens)
    {
        if (opens)
        {
            var server = new NamedPipeServerStream(name, PipeDirection.InOut, 1);
            server.WaitForConnection();
            return new(server);
        }

        var client = new NamedPipeClientStream(".", name, PipeDirection.InOut);
        client.Connect();
        return new(client);
    }

    /// <summary>Gives the other one what this one knows, and takes the same from it.</summary>
    public PartnerFacts Exchange(PartnerFacts own)
    {
        using var writer = new BinaryWriter(pipe, Encoding.UTF8, leaveOpen: true);
        using var reader = new BinaryReader(pipe, Encoding.UTF8, leaveOpen: true);
        writer.Write(own.Error ?? "");
        writer.Write(own.CallNanoseconds);
        writer.Write(own.BytesPerOperation);
        writer.Write(own.Waits);
        writer.Write(own.Core);
        writer.Flush();
        var error = reader.ReadString();
        return new(error.Length == 0 ? null : error, reader.ReadDouble(), reader.ReadDouble(), reader.ReadBoolean(), reader.ReadInt32());
    }

    /// <summary>The mean time of handing the turn over, measured by handing it to and fro.</summary>
    public double HandOverNanoseconds()
    {
        const int rounds = 200;
        var opens = pipe is NamedPipeServerStream;
        for (var i = 0; i < 20; i++)
            Round(opens);
        var from = Stopwatch.GetTimestamp();
        for (var i = 0; i < rounds; i++)
            Round(opens);
        return Stopwatch.GetElapsedTime(from).TotalNanoseconds / rounds / 2;
    }

    public void PassTurn() => Write(turn);

    public void EndTurns() => Write(end);

    /// <summary>Sleeps until it is this runner's turn; false when it is over.</summary>
    public bool AwaitTurn() => pipe.Read(one, 0, 1) == 1 ? one[0] == turn : throw new RunnerException("the other process has ended");

    public void Dispose() => pipe.Dispose();

    void Round(bool begins)
    {
        if (begins)
            PassTurn();
        AwaitTurn();
        if (!begins)
            PassTurn();
    }

    void Write(byte what)
    {
        one[0] = what;
        pipe.Write(one, 0, 1);
    }
}

using ProtoBench.Payloads;

namespace ProtoBench.Strategies;

/// <summary>A request decoded under one memory strategy, as cells and tests hold it.</summary>
public interface IStrategyRequest
{
    /// <summary>Decodes; the request is empty before.</summary>
    void Parse(ReadOnlySpan<byte> wire);

    /// <summary>Gives everything back; does nothing on an empty request.</summary>
    void Release();

    /// <summary>Counts and checksums everything in the message.</summary>
    Fingerprint Fingerprint();
}

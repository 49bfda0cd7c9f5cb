namespace ProtoBench.Codec.Generator.Model;

/// <summary>The names of a message's members that belong to no field. A field's property keeps its name; these give way.</summary>
sealed record MessageNames(string Types, string Rent, string Fields, string Storage, string Mutable, string CopyFrom, string MergeFrom,
    string Clear, string ToByteArray);

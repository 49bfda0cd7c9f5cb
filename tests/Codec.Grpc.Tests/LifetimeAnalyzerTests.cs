using System.Collections.Immutable;
using System.Globalization;
using System.Reflection;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;

namespace ProtoBench.Codec.Grpc.Tests;

/// <summary>The analyzer of ProtoBench.Codec.Build reports views that are kept too long, in code with generated messages and stubs, and is
/// quiet on right code.</summary>
public class LifetimeAnalyzerTests
{
}

using System.Reflection;
using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Running;
using ProtoBench.Results;

namespace ProtoBench.Tests;

public class HiveCellTests
{
    static readonly List<BenchmarkCase> all =
        [.. BenchmarkClasses.All.SelectMany(type =>
            BenchmarkConverter.TypeToBenchmarks(type,
                ManualConfig.CreateEmpty().WithCategoryDiscoverer(new CategoriesByName())).BenchmarksCases)];

    /// <summary>A released name is an API: results refer to it.</summary>
    [Fact]
    public void Names_are_the_golden_list()
    {
        // methods, not cases: a method may have no case
        var names = BenchmarkClasses.All.SelectMany(type => type.GetMethods()
            .Where(method => method.IsDefined(typeof(BenchmarkAttribute), inherit: false))
            .Select(method => $"{type.FullName}.{method.Name}")).Order(StringComparer.Ordinal);
        Golden.Check("cells.txt", string.Concat(names.Select(name => name + "\n")));
    }

    [Fact]
    public void Hive_names_fit_the_grammar_and_their_class()
    {
        foreach (var benchmark in all.Where(benchmark => HiveCell.Parse(benchmark.Descriptor.WorkloadMethod.Name) is not null))
        {
            var cell = HiveCell.Parse(benchmark.Descriptor.WorkloadMethod.Name)!;
            Assert.Equal(benchmark.Descriptor.Type.Name, cell.Verb + "Benchmarks");
            Assert.Equal([cell.Verb.ToString(), cell.Message.ToString()], benchmark.Descriptor.Categories);
        }

        string[] hive =
            ["SerializeBenchmarks", "MeasureBenchmarks", "MeasureSerializeBenchmarks", "DeserializeBenchmarks",
                "DeserializeTouchBenchmarks", "DeserializeStringsBenchmarks"];
        Assert.All(all.Where(benchmark => hive.Contains(benchmark.Descriptor.Type.Name)),
            benchmark => Assert.NotNull(HiveCell.Parse(benchmark.Descriptor.WorkloadMethod.Name)));
    }

    /// <summary>BenchmarkDotNet joins classes into one table and takes the first baseline of a category without a word.</summary>
    [Fact]
    public void Each_category_has_one_baseline_and_one_class()
    {
        foreach (var category in all.GroupBy(benchmark => string.Join(' ', benchmark.Descriptor.Categories)))
        {
            Assert.True(category.Select(benchmark => benchmark.Descriptor.Type).Distinct().Count() == 1,
                $"{category.Key} is in two classes");
            Assert.True(category.DistinctBy(benchmark => benchmark.Descriptor.WorkloadMethod)
                .Count(benchmark => benchmark.Descriptor.Baseline) == 1, $"{category.Key} has not one baseline");
        }
    }

    [Theory]
    [InlineData("DeserializeRequestGoogle_BA", HiveVerb.Deserialize, HiveMessage.Request, "Google", "BA", "", false)]
    [InlineData("DeserializeTouchRequestSlab_ROM", HiveVerb.DeserializeTouch, HiveMessage.Request, "Slab", "ROM", "", false)]
    [InlineData("DeserializeStringsMixedSlab_ROS", HiveVerb.DeserializeStrings, HiveMessage.Mixed, "Slab", "ROS", "", false)]
    [InlineData("MeasureSerializeResponseGoogle_BW_H", HiveVerb.MeasureSerialize, HiveMessage.Response, "Google", "BW", "H", false)]
    [InlineData("MeasureRequestGoogle_Cold", HiveVerb.Measure, HiveMessage.Request, "Google", "", "", true)]
    [InlineData("SerializeRequestGoogle_BW_Cold", HiveVerb.Serialize, HiveMessage.Request, "Google", "BW", "", true)]
    [InlineData("DeserializeRequestGoogleBytes_BA", HiveVerb.Deserialize, HiveMessage.Request, "GoogleBytes", "BA", "", false)]
    [InlineData("DeserializeRequestFloor_Walk", HiveVerb.Deserialize, HiveMessage.Request, "Floor", "Walk", "", false)]
    [InlineData("DeserializeRequestGoogle_BA_A", HiveVerb.Deserialize, HiveMessage.Request, "Google", "BA", "A", false)]
    public void A_name_comes_apart(string name, HiveVerb verb, HiveMessage message, string library, string buffer, string memory,
        bool cold) =>
        Assert.Equal(new(verb, message, MeasuredLibraries.Find(library)!, buffer, memory, cold), HiveCell.Parse(name));

    [Theory]
    [InlineData("DeserializeRequest")]
    [InlineData("DeserializeRequestGoogle_XX")]
    [InlineData("ParseRequestGoogle_BA")]
    [InlineData("DeserializeRequestGoogle_BA_H_A")]
    [InlineData("DeserializeRequestNobody_BA")]
    [InlineData("DeserializeRequestGoogleBytes_MS")]
    [InlineData("DeserializeRequestSlab_ROM_H")]
    public void A_name_that_is_not_registered_is_no_hive_cell(string name) => Assert.Null(HiveCell.Parse(name));

    [Fact]
    public void Every_public_method_of_a_class_that_looks_like_a_cell_is_one() =>
        Assert.All(
            BenchmarkClasses.All.SelectMany(type =>
                type.GetMethods(BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly))
                    .Where(method => HiveCell.Parse(method.Name) is not null),
            method => Assert.True(method.IsDefined(typeof(BenchmarkAttribute)), method.Name));
}

using ProtoBench.Gpb.Sets;

namespace ProtoBench.DataSets;

/// <summary>64 events of orders, of 150 to 300 bytes. Names and streets of several countries, so most texts are not ASCII
/// throughout.</summary>
public readonly partial struct OrderEventSet : IDataSet<OrderEvent, SlabProtobuf.Sets.OrderEvent, PlainOrderEvent>
{
    public static int Messages => 64;

    public static OrderEvent Generate(Random random)
    {
        var (city, postalCode, country, currency) = random.Pick<(string, string, string, string)>(
        [
            ("Zürich", "8001", "CH", "CHF"), ("Gdańsk", "80-001", "PL", "PLN"), ("Lyon", "69001", "FR", "EUR"),
            ("東京", "100-0001", "JP", "JPY"), ("Austin", "78701", "US", "USD"), ("São Paulo", "01001-000", "BR", "BRL"),
        ]);
        return new()
        {
            OrderId = $"ord_{random.Hex(16)}",
            State = random.Pick<OrderState>([OrderState.Placed, OrderState.Paid, OrderState.Sent]),
            Placed = new() { Seconds = 1_793_491_200 + random.Next(86_400), Nanos = random.Next(1_000_000_000) },
            CustomerId = $"cus_{random.Hex(12)}",
            CustomerName = $"{random.Pick<string>(["Ada", "Jürgen", "Zoë", "Michał", "美咲", "José"])} "
                + random.Pick<string>(["Lovelace", "Müller", "Nowak", "García", "佐藤", "O'Brien"]),
            Total = new() { Currency = currency, Units = random.Next(5, 900), Nanos = random.Next(100) * 10_000_000 },
            Address = new()
            {
                Street = $"{random.Word()} {random.Pick<string>(["Straße", "Street", "avenue", "ulica"])} {random.Next(1, 200)}",
                City = city,
                PostalCode = postalCode,
                Country = country,
            },
            Items = (uint)random.Next(1, 12),
            Gift = random.Chance(0.1),
            Note = random.Words(5, 14),
        };
    }
}

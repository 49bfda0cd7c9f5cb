using System.Globalization;
using Shop;

// A message is built, written, read again, and its content is printed.
using var sent = Order.Rent();
var order = sent.Value;
order.SetCustomer("Ada");
var line = order.AddLines();
line.SetArticle("tea");
line.SetCount(2);
line.MutablePrice().SetCents(450);
var wire = sent.ToByteArray();

using var received = Order.Rent();
var copy = received.Parse(wire.AsSpan());
foreach (var one in copy.Lines)
    Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{copy.Customer} orders {one.Count} {one.Article} for {one.Price?.Cents} cents each: {wire.Length} bytes"));

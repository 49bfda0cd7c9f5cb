// What a service takes, for the load that the reader sets. Times are nanoseconds of a message.
{
  const inputs = document.getElementById("service");
  const number = (id, least, most) => {
    const input = document.getElementById("service-" + id);
    const value = input.valueAsNumber;
    const valid = value >= least && value <= most;
    input.setAttribute("aria-invalid", String(!valid));
    return valid ? value : NaN;
  };
  const text = (value, digits) => Number.isFinite(value)
    ? value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits }) : "-";
  const show = () => {
    const kind = document.getElementById("service-kind").selectedIndex;
    const rate = number("rate", 1, 1e12), read = number("read", 0, 100) / 100, network = number("network", 1, 1e9);
    document.querySelectorAll(".service").forEach((table, at) => {
      const carried = network * 1e6 / 8 / Number(table.dataset.bytes);
      table.hidden = at !== kind;
      for (const row of table.querySelectorAll("tbody tr")) {
        const time = Number(table.dataset.transport) + Number(row.dataset.read) * read + Number(row.dataset.make) * (1 - read);
        const cells = row.querySelectorAll("td");
        cells[0].textContent = text(time * rate / 1e9, 3);
        cells[1].textContent = text(1e9 / time, 0);
        cells[2].textContent = text(carried, 0);
      }
      table.querySelector(".over").hidden = !(carried < rate);
    });
  };
  inputs?.addEventListener("input", show);
}

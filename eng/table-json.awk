# Turns a table of Markdown, with the text around it, into a saved result: JSON as SavedTable in src/Results reads it.
function json(text) {
  gsub(/\\/, "&&", text)
  gsub(/"/, "\\\\&", text)
  return "\"" text "\""
}
function row(line, count, cells, at, text) {
  gsub(/^\| *| *\|$/, "", line)
  count = split(line, cells, / *\| */)
  for (at = 1; at <= count; at++) text = text (at > 1 ? "," : "") json(cells[at])
  return "[" text "]"
}
/^\| *-/ { next }
/^\|/ && columns == "" { columns = row($0); next }
/^\|/ { rows = rows (rows == "" ? "" : ",\n") row($0); next }
NF { about = about (about == "" ? "" : ",\n") json($0) }
END { printf "{\n\"table\": {\n\"about\": [\n%s\n],\n\"columns\": %s,\n\"rows\": [\n%s\n]}\n}\n", about, columns, rows }

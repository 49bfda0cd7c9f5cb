# Draws the table of eng/call-time as bars of shares: a bar for each row, a colour for each part.
BEGIN {
  FS = " *\\| *"
  split("#4269d0 #97bbf5 #efb118 #3ca951 #ff725c #a463f2 #9c9c9c", colours, " ")
}
/^\| Message/ { for (i = 5; i <= 11; i++) names[i - 4] = $i; next }
/^\| (hive|1KB) / { row[++rows] = $0 }
END {
  left = 170; width = 560; bar = 22; step = 30; top = 56
  printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 830 %d\" font-family=\"sans-serif\" font-size=\"12\">\n", top + rows * step + 10
  print "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>"
  print "<text x=\"10\" y=\"18\" font-size=\"14\">Processor time of a call: shares of its parts, and microseconds of host and client</text>"
  at = 10
  for (i = 1; i <= 7; i++) {
    printf "<rect x=\"%d\" y=\"30\" width=\"12\" height=\"12\" fill=\"%s\"/><text x=\"%d\" y=\"40\">%s</text>\n", at, colours[i], at + 16, names[i]
    at += 36 + length(names[i]) * 7
  }
  for (r = 1; r <= rows; r++) {
    split(row[r], cell, / *\| */)
    y = top + (r - 1) * step
    printf "<text x=\"10\" y=\"%d\">%s, %s, %s caller%s</text>\n", y + 15, cell[2] == "1KB" ? "1 KB" : cell[2], cell[3], cell[4], cell[4] == 1 ? "" : "s"
    x = left
    for (i = 1; i <= 7; i++) {
      share = cell[i + 4] + 0
      part = share * width / 100
      printf "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"><title>%s: %s</title></rect>\n", x, y, part, bar, colours[i], names[i], cell[i + 4]
      if (share >= 7) printf "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" font-size=\"11\">%.0f %%</text>\n", x + part / 2, y + 15, share
      x += part
    }
    printf "<text x=\"%d\" y=\"%d\">%s μs</text>\n", left + width + 8, y + 15, cell[12]
  }
  print "</svg>"
}

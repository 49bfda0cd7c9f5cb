// Reads an HdrHistogram log with a reader that is not ours, and prints its intervals as JSON. Argument: the file.
import { readFileSync } from 'node:fs';
import hdr from 'hdr-histogram-js';

const reader = new hdr.HistogramLogReader(readFileSync(process.argv[2], 'utf8'));
const intervals = [];
for (let histogram = reader.nextIntervalHistogram(); histogram; histogram = reader.nextIntervalHistogram()) {
  intervals.push({
    tag: histogram.tag,
    seconds: (histogram.endTimeStampMsec - histogram.startTimeStampMsec) / 1000,
    count: histogram.totalCount,
    p50: histogram.getValueAtPercentile(50),
    p99: histogram.getValueAtPercentile(99),
    max: histogram.getValueAtPercentile(100),
  });
}
console.log(JSON.stringify({ startSeconds: reader.startTimeSec, intervals }));

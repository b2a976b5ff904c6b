import { chromium } from "playwright-core";
const [url, out, ...steps] = process.argv.slice(2);
const b = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
for (const spec of (process.env.SIZES ?? "1440l").split(",")) {
  const w = parseInt(spec), dark = spec.endsWith("d");
  const p = await b.newPage({ viewport: { width: w, height: w < 500 ? 844 : w > 1800 ? 1080 : 900 }, colorScheme: dark ? "dark" : "light", reducedMotion: "reduce" });
  p.setDefaultTimeout(15000);
  p.on("console", (m) => ["error", "warning"].includes(m.type()) && console.log(spec, m.type(), m.text()));
  p.on("pageerror", (e) => console.log(spec, String(e)));
  try {
    await p.goto(url);
    for (const s of steps) {
      const [k, ...r] = s.split("="), v = r.join("=");
      if (k === "click") await p.locator(v).first().click();
      else if (k === "wait") await p.locator(v).first().waitFor();
      else if (k === "key") await p.keyboard.press(v);
      else if (k === "type") await p.keyboard.type(v, { delay: 20 });
      else if (k === "ms") await p.waitForTimeout(Number(v));
      else if (k === "eval") console.log(spec, JSON.stringify(await p.evaluate(v)));
    }
  } catch (e) { console.log(spec, e.message.split("\n")[0]); }
  await p.screenshot({ path: `${out}-${spec}.png`, fullPage: process.env.FULL === "1" });
  await p.close();
}
await b.close();

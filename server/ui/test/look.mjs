// Functions that run in the page.

// contrast lists the texts whose colour is too near to the ground beneath (WCAG
// AA: 4.5, or 3 for large ones).
export function contrast() {
  const read = (c) => {
    const n = c.match(/[\d.]+/g)?.map(Number) ?? [0, 0, 0, 0];
    return { r: n[0], g: n[1], b: n[2], a: n[3] ?? 1 };
  };
  const over = (top, under) => ({ r: mix(top.r, under.r, top.a), g: mix(top.g, under.g, top.a), b: mix(top.b, under.b, top.a), a: 1 });
  const mix = (x, y, a) => x * a + y * (1 - a);
  const light = ({ r, g, b }) => {
    const f = (v) => ((v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b);
  };
  const ground = (e) => {
    const layers = [];
    for (; e; e = e.parentElement) {
      const c = read(getComputedStyle(e).backgroundColor);
      if (c.a > 0) layers.push(c);
      if (c.a === 1) break;
    }
    return layers.reduceRight((under, top) => over(top, under), { r: 255, g: 255, b: 255, a: 1 });
  };
  const opacity = (e) => (e ? Number(getComputedStyle(e).opacity) * opacity(e.parentElement) : 1);
  const low = [];
  let count = 0;
  const walker = document.createTreeWalker(document.querySelector("dialog") ?? document.getElementById("page"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement, text = walker.currentNode.data.trim();
    const style = getComputedStyle(e);
    if (!text || !e.checkVisibility() || e.closest("textarea, option, :disabled, [aria-busy=true]")) continue;
    count++;
    const under = ground(e);
    const own = read(e instanceof SVGElement ? style.fill : style.color);
    const ink = over({ ...own, a: own.a * opacity(e) }, under);
    const [a, b] = [light(ink), light(under)].sort((x, y) => y - x);
    const size = parseFloat(style.fontSize);
    const enough = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < enough) low.push(`${ratio.toFixed(2)} ${text.slice(0, 40)} (${e.className?.baseVal ?? e.className})`);
  }
  return { low, count };
}

// unnamed lists the controls that have no name for those who do not see them.
export function unnamed() {
  const name = (e) => e.getAttribute("aria-label") || e.textContent.trim() || [...(e.labels ?? [])].map((l) => l.textContent.trim()).join("");
  return [...document.querySelectorAll("button, input, select, textarea, a, [role=img], [tabindex]")].filter((e) => !e.hidden && !name(e)).map((e) => e.outerHTML.slice(0, 120));
}

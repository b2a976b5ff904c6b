// The parts of Observable Plot that the page uses. To build: npm ci && npm run build
export {plot, barX, barY, rectY, rect, ruleX, ruleY, lineY, dot, dotX, text, tip, pointer, pointerX, axisX, axisY, gridY} from "@observablehq/plot";

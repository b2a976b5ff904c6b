// Numbers and sizes as people read them.

export const number = (v: number, digits = 3) => v.toFixed(digits).replace("-", "−");

export const signed = (v: number, digits = 3) => (v < 0 ? "−" : "+") + Math.abs(v).toFixed(digits);

// percent formats a probability, never as 0 or 100 %.
export const percent = (p: number) => (p < 0.01 ? "< 1" : p > 0.99 ? "> 99" : Math.round(100 * p)) + " %";

export const count = (n: number) => n.toLocaleString("en");

export const plural = (n: number, one: string, many = one + "s") => `${count(n)} ${n === 1 ? one : many}`;

export function bytes(n: number): string {
  const units = ["B", "kB", "MB", "GB"];
  let i = 0;
  while (n >= 1000 && i < units.length - 1) (n /= 1000), i++;
  return (i === 0 ? n : n.toPrecision(3)) + " " + units[i];
}

export const milliseconds = (ms: number) => (ms < 10 ? ms.toFixed(1) : Math.round(ms)) + " ms";

// sentence adds a capital and a full stop to a message of the server.
export const sentence = (s: string) => s.slice(0, 1).toUpperCase() + s.slice(1) + (/[.!?]$/.test(s) ? "" : ".");

#!/usr/bin/env node
// Runs the binary that npm has installed for this platform.
"use strict";
const { spawn } = require("node:child_process");

const platform = `${process.platform}-${process.arch}`;
const command = process.platform === "win32" ? "nsfl.exe" : "nsfl";

function find() {
  if (process.env.NSFL_BIN) return process.env.NSFL_BIN;
  try {
    return require.resolve(`@nsfl-go/${platform}/bin/${command}`);
  } catch {
    console.error(
      `nsfl: the package @nsfl-go/${platform} is not installed. npm leaves it out with --omit=optional; ` +
        "install again without it. Where there is no such package, build the command with Go and name it in $NSFL_BIN.",
    );
    process.exit(1);
  }
}

const child = spawn(find(), process.argv.slice(2), { stdio: "inherit" });
const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
for (const signal of signals) process.on(signal, () => child.kill(signal));
child.on("error", (e) => {
  console.error(`nsfl: ${e.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  if (!signal) process.exit(code);
  for (const s of signals) process.removeAllListeners(s);
  process.kill(process.pid, signal);
});

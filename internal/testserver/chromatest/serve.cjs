// Runs the Chroma server that the package in the folder argv[1] carries, and ends
// when the other side of stdin does, whatever way that ends.
const { Worker, isMainThread, workerData } = require("node:worker_threads");

const [folder, path, port] = isMainThread ? process.argv.slice(1) : workerData;
if (isMainThread) {
  process.stdin.on("end", () => process.kill(process.pid, "SIGKILL")).resume();
  new Worker(process.execArgv[process.execArgv.indexOf("--eval") + 1], { eval: true, workerData: [folder, path, port] });
} else {
  require(folder).cli(["chroma", "run", "--host", "127.0.0.1", "--port", port, "--path", path]);
}

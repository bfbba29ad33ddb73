// Loaded by `--import` before a process's own modules, which then see another time.
import process from "node:process";

const shiftMs = Number(process.env["SHIFT_CLOCK_MS"]);
const realNow = Date.now;
const now = () => realNow() + shiftMs;

globalThis.Date = new Proxy(Date, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new Date(now()).toString(),
  get: (target, name, receiver) => (name === "now" ? now : Reflect.get(target, name, receiver)),
});

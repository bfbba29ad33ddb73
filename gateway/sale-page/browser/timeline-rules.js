// common/sale/state/timeline.ts without types, made by `npm run generate`.

import { saleState } from "./sale-rules.js";

const TIMES = {
  announced: "AnnouncedAt",
  opens: "OpensAt",
  closes: "ClosesAt",
  cancelUntil: "CancelUntil",
  settles: "SettlesAt",
  claims: "ClaimsAt",
};

const AWAITED = {
  upcoming: ["opens"],
  open: ["closes"],
  closed: ["cancelUntil", "settles"],
  settled: ["claims"],
};

export function timeline(facts, now) {
  const { phase } = saleState(facts, now);
  const steps = Object.keys(TIMES).flatMap((name) => {
    const time = facts[TIMES[name]];
    return time === undefined
      ? []
      : [{ name, time, isReached: isReached(name, Date.parse(time) <= now, phase, facts) }];
  });
  const awaited = steps.find(({ name, isReached }) => !isReached && AWAITED[phase]?.includes(name));
  return { steps, awaited: awaited && { name: awaited.name, time: awaited.time } };
}

function isReached(name, isPast, phase, { Stage }) {
  const isOver = phase === "closed" || phase === "settled";
  switch (name) {
    case "announced":
      return isPast || (phase !== "upcoming" && phase !== "unknown");
    case "opens":
      return phase === "unknown" ? isPast : phase !== "upcoming";
    case "closes":
      return phase === "unknown" ? isPast : isOver;
    case "cancelUntil":
      return isOver && (phase === "settled" || Stage === "settlement" || (Stage === undefined && isPast));
    case "settles":
      return phase === "settled";
    case "claims":
      return phase === "settled" && isPast;
  }
}

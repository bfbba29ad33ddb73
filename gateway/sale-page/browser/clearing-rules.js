// common/sale/definition/tick-width.ts and common/sale/figures/tick-tree.ts and common/sale/figures/tick-node.ts and common/sale/figures/clearing-price.ts and common/sale/figures/position.ts and common/sale/figures/what-if.ts without types, made by `npm run generate`.

export const WIDEST_TICKS = 20;

export function tickWidth({ widePrices = false }) {
  return widePrices ? WIDEST_TICKS : 8;
}

export function highestTicks(width) {
  return (1n << BigInt(8 * width)) - 1n;
}

export const ROOT_LEVEL = 0;

const LEVEL_DIGITS = 2;

const LEVELS = Array.from({ length: 256 }, (_, level) => level.toString(16).padStart(LEVEL_DIGITS, "0"));

export function nodeKey(width, level, tick) {
  return keyOf(level, tick.toString(16).padStart(2 * width, "0"));
}

export function rootKey(width) {
  return nodeKey(width, ROOT_LEVEL, 0n);
}

export function isRoot(key) {
  return levelOf(key) === ROOT_LEVEL;
}

function keyOf(level, ticks) {
  const digits = level * 2;
  return `${LEVELS[level]}${ticks.slice(0, digits)}${"0".repeat(ticks.length - digits)}`;
}

export function levelOf(key) {
  return Number.parseInt(key.slice(0, LEVEL_DIGITS), 16);
}

export function lowestTickOf(key) {
  return BigInt(`0x${key.slice(LEVEL_DIGITS)}`);
}

export function parentOf(key, level = levelOf(key)) {
  return keyOf(level - 1, key.slice(LEVEL_DIGITS));
}

export class TickChanges {
  #width;
  #ticksMatter;
  #byClass = new Map();

  constructor(width, ticksMatter) {
    this.#width = width;
    this.#ticksMatter = ticksMatter;
  }

  add(countingClass, tick, amount, demand) {
    this.#change(countingClass, tick, { amount, commitments: 1n, demand });
  }

  remove(countingClass, tick, amount, demand) {
    this.#change(countingClass, tick, { amount: -amount, commitments: -1n, demand: demand && -demand });
  }

  byClass() {
    const changes = new Map();
    for (const [countingClass, ticks] of this.#byClass) {
      const nodes = this.#ticksMatter
        ? sumsOfTree(this.#width, ticks)
        : new Map([[rootKey(this.#width), sumOfAll(ticks.values())]]);
      const real = new Map([...nodes].filter(([, sum]) => !isNothing(sum)));
      if (real.size > 0) changes.set(countingClass, real);
    }
    return changes;
  }

  #change(countingClass, tick, change) {
    if (countingClass < 0n) return;
    const ticks = this.#byClass.get(countingClass) ?? new Map();
    this.#byClass.set(countingClass, ticks);
    ticks.set(tick, plus(ticks.get(tick), change));
  }
}

function isNothing({ amount, commitments, demand = 0n }) {
  return amount === 0n && commitments === 0n && demand === 0n;
}

function sumsOfTree(width, ticks) {
  let level = new Map([...ticks].map(([tick, sum]) => [nodeKey(width, width, tick), sum]));
  const tree = new Map(level);
  for (let depth = width; depth > ROOT_LEVEL; depth -= 1) {
    const above = new Map();
    for (const [key, sum] of level) {
      const parent = parentOf(key, depth);
      above.set(parent, plus(above.get(parent), sum));
    }
    for (const [key, sum] of above) tree.set(key, sum);
    level = above;
  }
  return tree;
}

function sumOfAll(sums) {
  let total = { amount: 0n, commitments: 0n };
  for (const sum of sums) total = plus(total, sum);
  return total;
}

export function plus(left, right) {
  if (left === undefined) return right;
  const { demand } = left;
  return {
    amount: left.amount + right.amount,
    commitments: left.commitments + right.commitments,
    demand: demand === undefined ? right.demand : demand + (right.demand ?? 0n),
  };
}

export const TICK_RADIX = 256;

const TICKS = Array.from({ length: WIDEST_TICKS + 1 }, (_, levels) => BigInt(TICK_RADIX) ** BigInt(levels));

export function ticksOfNode(width, level) {
  return TICKS[width - level] ?? 1n;
}

export function highestTick(width, { level, lowestTick }) {
  return lowestTick + ticksOfNode(width, level) - 1n;
}

export function byTickDescending(a, b) {
  if (a.lowestTick === b.lowestTick) return 0;
  return a.lowestTick > b.lowestTick ? -1 : 1;
}

export function demandOf({ amount, demand }, denominator) {
  return demand ?? amount * denominator;
}

export function demandFrom(width, tick, nodes, denominator) {
  let demand = 0n;
  for (const node of nodes) {
    const onPath = lowestAt(width, node.level, tick);
    const isAt = node.level === width && node.lowestTick === tick;
    if (isAt || node.lowestTick > onPath) demand += demandOf(node, denominator);
  }
  return demand;
}

export function rangesBelow(width, tick) {
  return levelsBelow(width, tick).map(({ level, first, onPath }) => [
    nodeKey(width, level, first),
    nodeKey(width, level, onPath - 1n),
  ]);
}

export function amountBelow(width, tick, nodes) {
  const levels = new Map(levelsBelow(width, tick).map((each) => [each.level, each]));
  let sum = 0n;
  for (const { level, lowestTick, amount } of nodes) {
    const range = levels.get(level);
    if (range !== undefined && lowestTick >= range.first && lowestTick < range.onPath) sum += amount;
  }
  return sum;
}

function levelsBelow(width, tick) {
  const levels = [];
  for (let level = 1; level <= width; level++) {
    const [first, onPath] = [lowestAt(width, level - 1, tick), lowestAt(width, level, tick)];
    if (first < onPath) levels.push({ level, first, onPath });
  }
  return levels;
}

function lowestAt(width, level, tick) {
  return tick - (tick % ticksOfNode(width, level));
}

export function clearingTick(auction, priceTick, width) {
  const cost = priceTick.numerator * auction.offeredAmount;
  return highestTickWithin({
    width,
    denominator: priceTick.denominator,
    onGrid: (tick) => gridTick(auction, tick),
    allowed: (demand) => demand / cost,
  });
}

export function* highestTickWithin(rule) {
  const { width, onGrid, allowed } = rule;
  let request = { level: 1, lowestTick: 0n };
  let demandAbove = 0n;
  for (;;) {
    const found = findTurn(rule, yield request, demandAbove);
    demandAbove = found.demandAbove;
    if (found.child === undefined) return onGrid(allowed(demandAbove));

    const lowest = onGrid(found.child.lowestTick);
    if (lowest === onGrid(highestTick(width, found.child))) return lowest;
    request = { level: found.child.level + 1, lowestTick: found.child.lowestTick };
  }
}

function findTurn({ width, denominator, allowed }, children, demandAboveAll) {
  let demandAbove = demandAboveAll;
  let limit = allowed(demandAbove);
  for (const child of children.toSorted(byTickDescending)) {
    if (limit >= highestTick(width, child)) break;
    const demand = demandAbove + demandOf(child, denominator);
    limit = allowed(demand);
    if (limit > child.lowestTick) return { child, demandAbove };
    demandAbove = demand;
  }
  return { demandAbove };
}

function gridTick({ floorTicks, incrementTicks }, tick) {
  return tick <= floorTicks ? floorTicks : tick - ((tick - floorTicks) % incrementTicks);
}

export function clearingMatters(records, active, clearingTick, pricing) {
  const isAtFloor = pricing.kind === "auction" && clearingTick === pricing.floorTicks;
  return records.some(
    ({ record, countingClass }) => (isAtFloor || record.priceTicks === clearingTick) && active.includes(countingClass),
  );
}

export function isUndersubscribed({ definition, clearing }) {
  const { pricing, priceTick } = definition;
  if (pricing.kind !== "auction" || clearing === undefined || clearing.tick !== pricing.floorTicks) return false;
  return clearing.demand < clearing.tick * priceTick.numerator * pricing.offeredAmount;
}

export function positionEntry({ record, countingClass }, facts) {
  if (!facts.active.includes(countingClass)) {
    return { record, notCounted: countingClass < 0n ? "no_amount" : "refunded" };
  }
  const outcome = outcomeOf(record.priceTicks, facts);
  return outcome === undefined ? { record } : { record, outcome };
}

function outcomeOf(ticks, { definition, clearing }) {
  const { pricing, priceTick } = definition;
  if (pricing.kind !== "auction" || clearing === undefined) return undefined;
  if (ticks < pricing.floorTicks) return "below_floor";
  if (ticks !== clearing.tick) return ticks > clearing.tick ? "in" : "out";
  const cost = clearing.tick * priceTick.numerator * pricing.offeredAmount;
  return clearing.demand <= cost ? "in" : "at_margin";
}

export function bookOf(facts, levels) {
  if (facts.ClearingRule !== undefined) return undefined;
  const { PriceTickNumerator = "0", PriceTickDenominator = "0", OfferedToken } = facts;
  const priceTick = { numerator: BigInt(PriceTickNumerator), denominator: BigInt(PriceTickDenominator) };
  const offeredAmount = BigInt(OfferedToken.Amount ?? 0);
  if (priceTick.numerator === 0n || priceTick.denominator === 0n || offeredAmount === 0n) return undefined;
  const ticks = (numerator = "0", denominator = "0") => exactTicks(BigInt(numerator), BigInt(denominator), priceTick);
  const floorTicks = ticks(facts.FloorNumerator, facts.FloorDenominator);
  const incrementTicks = ticks(facts.IncrementNumerator, facts.IncrementDenominator);
  if (floorTicks === undefined || incrementTicks === undefined || incrementTicks === 0n) return undefined;
  const read = levels.flatMap((level) => {
    const lowestTick = ticks(level.LowestPriceNumerator, level.LowestPriceDenominator);
    const highestTick = ticks(level.HighestPriceNumerator, level.HighestPriceDenominator);
    return lowestTick === undefined || highestTick === undefined
      ? []
      : [{ lowestTick, highestTick, amount: BigInt(level.Amount) }];
  });
  if (read.length < levels.length) return undefined;
  const pricing = { kind: "auction", offeredAmount, floorTicks, incrementTicks };
  return { width: tickWidth({ widePrices: facts.WidePrices }), pricing, priceTick, levels: read };
}

function exactTicks(numerator, denominator, priceTick) {
  const [above, below] = [numerator * priceTick.denominator, denominator * priceTick.numerator];
  return below === 0n || above % below !== 0n ? undefined : above / below;
}

export function ticksAtMost({ numerator, denominator }, priceTick) {
  return (numerator * priceTick.denominator) / (denominator * priceTick.numerator);
}

export function whatIf(book, bid, others = []) {
  const [lowest, highest] = inBoundingBooks(book, (bids) => outcomeIn(book, [...bids, bid, ...others], bid));
  return {
    clearing: { least: lowest.clearing, most: highest.clearing },
    outcomes: [...new Set([lowest.outcome, highest.outcome])],
    tokens: { least: leastTokens(book, bid, lowest.clearing, highest), most: mostTokens(book, bid, lowest) },
  };
}

export function asMuchAgainAbove({ width, pricing, levels }, ticks) {
  const counted = levels.filter((level) => level.highestTick >= pricing.floorTicks);
  return {
    ticks: lesser(ticks + pricing.incrementTicks, highestTicks(width)),
    amount: sum(counted.map(({ amount }) => amount)),
  };
}

export function lowestPriceIn(book, bids) {
  const rest = without(book, bids);
  if (rest === undefined) return undefined;
  const amount = sum(bids.map((bid) => bid.amount));
  const highest = highestTicks(book.width);
  const [least, most] = inBoundingBooks(rest, (others) => {
    const all = [...others, { ticks: highest, amount }];
    const clearing = clearingOf(book, all);
    const isIn = outcomeAt(book, all, clearing, clearing) === "in";
    return isIn ? clearing : clearing + book.pricing.incrementTicks;
  });
  return most > highest ? undefined : { least, most };
}

function without(book, bids) {
  const amounts = book.levels.map(({ amount }) => amount);
  for (const { ticks, amount } of bids) {
    const at = book.levels.findIndex(({ lowestTick, highestTick }) => lowestTick <= ticks && ticks <= highestTick);
    amounts[at] = (amounts[at] ?? 0n) - amount;
    if (at < 0 || (amounts[at] ?? 0n) < 0n) return undefined;
  }
  return { ...book, levels: book.levels.map((level, index) => ({ ...level, amount: amounts[index] ?? 0n })) };
}

function inBoundingBooks({ levels }, make) {
  const lowest = make(levels.map(({ lowestTick, amount }) => ({ ticks: lowestTick, amount })));
  if (levels.every(({ lowestTick, highestTick }) => lowestTick === highestTick)) return [lowest, lowest];
  return [lowest, make(levels.map(({ highestTick, amount }) => ({ ticks: highestTick, amount })))];
}

function outcomeIn(book, bids, bid) {
  const clearing = clearingOf(book, bids);
  return { bids, clearing, outcome: outcomeAt(book, bids, clearing, bid.ticks) };
}

export function clearingOf({ width, pricing, priceTick }, bids) {
  const search = clearingTick(pricing, priceTick, width);
  let step = search.next();
  while (step.done !== true) step = search.next(childrenOf(width, bids, step.value));
  return step.value;
}

function childrenOf(width, bids, { level, lowestTick }) {
  const end = highestTick(width, { level: level - 1, lowestTick });
  const ticksOfChild = ticksOfNode(width, level);
  const amounts = new Map();
  for (const { ticks, amount } of bids) {
    const start = ticks - (ticks % ticksOfChild);
    if (ticks >= lowestTick && ticks <= end) amounts.set(start, (amounts.get(start) ?? 0n) + amount);
  }
  return [...amounts].map(([start, amount]) => ({ level, lowestTick: start, amount }));
}

function outcomeAt({ pricing, priceTick }, bids, clearing, ticks) {
  const facts = {
    definition: { pricing, priceTick },
    active: [0n],
    clearing: { tick: clearing, demand: demandAt(bids, clearing) * priceTick.denominator },
  };
  const { outcome = "out" } = positionEntry({ record: { priceTicks: ticks }, countingClass: 0n }, facts);
  return outcome;
}

function leastTokens({ pricing, priceTick }, { amount }, lowestClearing, highest) {
  if (highest.outcome !== "in" || lowestClearing === 0n) return 0n;
  const bought = (amount * priceTick.denominator) / (highest.clearing * priceTick.numerator);
  const above = demandAt(highest.bids, lowestClearing + 1n);
  return above === 0n ? bought : lesser(bought, (amount * pricing.offeredAmount) / above);
}

function mostTokens({ pricing, priceTick }, { amount }, { bids, clearing, outcome }) {
  if (outcome === "out" || outcome === "below_floor") return 0n;
  const price = clearing * priceTick.numerator;
  if (price === 0n) return pricing.offeredAmount;
  const buys = (paid) => (paid * priceTick.denominator) / price;
  const taken = outcome === "at_margin" ? buys(demandAt(bids, clearing + 1n)) : 0n;
  return greater(0n, lesser(buys(amount), pricing.offeredAmount - taken));
}

function demandAt(bids, ticks) {
  return sum(bids.flatMap((bid) => (bid.ticks >= ticks ? bid.amount : [])));
}

function sum(amounts) {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

function lesser(one, other) {
  if (one < other) return one;
  return other;
}

function greater(one, other) {
  if (one > other) return one;
  return other;
}

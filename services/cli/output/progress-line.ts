import { countText } from "../../../common/sale/words/number-text.ts";

const BAR_WIDTH = 20;

export interface Progress {
  readonly rowsDone: bigint;
  readonly rowsTotal: bigint;
  /** Undefined while it is unknown. */
  readonly rowsPerSecond: bigint | undefined;
}

/** `[##########----------]  50%  5,000 of 10,000 rows, 1,000 rows/s, 5 s left`. */
export function progressLine({ rowsDone, rowsTotal, rowsPerSecond }: Progress): string {
  const done = rowsDone < rowsTotal ? rowsDone : rowsTotal;
  const percent = rowsTotal === 0n ? 0n : (done * 100n) / rowsTotal;
  const filled = Number((percent * BigInt(BAR_WIDTH)) / 100n);
  const bar = "#".repeat(filled) + "-".repeat(BAR_WIDTH - filled);
  const rows = `${countText(rowsDone)} of ${countText(rowsTotal)} rows`;
  return `[${bar}] ${percent.toString().padStart(3)}%  ${rows}${rateText(rowsTotal - done, rowsPerSecond)}`;
}

function rateText(rowsLeft: bigint, rowsPerSecond: bigint | undefined): string {
  if (rowsPerSecond === undefined || rowsPerSecond === 0n) return "";
  const seconds = (rowsLeft + rowsPerSecond - 1n) / rowsPerSecond;
  return `, ${countText(rowsPerSecond)} rows/s, ${timeText(seconds)} left`;
}

/** `45 s`, `12 min 5 s`, `3 h 20 min`. */
function timeText(seconds: bigint): string {
  if (seconds < 60n) return `${seconds} s`;
  if (seconds < 3_600n) return `${seconds / 60n} min ${seconds % 60n} s`;
  return `${countText(seconds / 3_600n)} h ${(seconds % 3_600n) / 60n} min`;
}

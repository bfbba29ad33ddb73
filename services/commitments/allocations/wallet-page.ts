/** A commitment of a wallet, and the bytes of its amounts, accepted or not. */
export interface WalletRow {
  readonly wallet: string;
  readonly commitmentId: string;
  readonly bytes: number;
}

export interface WalletPageBounds {
  /** The most wallets. */
  readonly wallets: number;
  /** The most rows. One more was read, if there are more. */
  readonly rows: number;
  /** The most bytes of all commitments, each counted once. */
  readonly bytes: number;
}

/** The wallets of a page. */
export interface WalletPage {
  /** The commitments of each wallet; undefined for a wallet whose commitments alone are beyond the bounds. */
  readonly wallets: ReadonlyMap<string, readonly string[] | undefined>;
  /** The wallet after which the next page begins; absent on the last page. */
  readonly next?: string;
}

/**
 * Divides rows into wallets, and decides how many of these fit on a page: at least one, so that each page leads on.
 *
 * @param rows by wallet and commitment, from the beginning of the page on
 */
export function walletPage(rows: readonly WalletRow[], bounds: WalletPageBounds): WalletPage {
  const groups = [...Map.groupBy(rows, ({ wallet }) => wallet)];
  const isCut = rows.length > bounds.rows;
  // Of the last wallet there may be more rows than were read.
  const whole = isCut ? groups.slice(0, -1) : groups;
  const fitting = groupsWithin(whole.slice(0, bounds.wallets), bounds.bytes);
  const shown: [string, readonly string[] | undefined][] =
    fitting.length > 0
      ? fitting.map(([wallet, own]) => [wallet, own.map(({ commitmentId }) => commitmentId)])
      : groups.slice(0, 1).map(([wallet]) => [wallet, undefined]);
  const last = shown.at(-1)?.[0];
  const hasMore = isCut || shown.length < groups.length;
  return { wallets: new Map(shown), ...(hasMore && last !== undefined && { next: last }) };
}

type Group = readonly [wallet: string, rows: readonly WalletRow[]];

function groupsWithin(groups: readonly Group[], most: number): readonly Group[] {
  const seen = new Set<string>();
  let bytes = 0;
  const end = groups.findIndex(([, rows]) => {
    for (const row of rows) {
      if (seen.has(row.commitmentId)) continue;
      seen.add(row.commitmentId);
      bytes += row.bytes;
    }
    return bytes > most;
  });
  return end === -1 ? groups : groups.slice(0, end);
}

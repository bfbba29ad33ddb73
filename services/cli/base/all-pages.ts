/** A page of a list. */
export interface ListPage<Item> {
  readonly items: readonly Item[];
  /** Empty on the last page. */
  readonly nextPageToken: string;
}

/** Rows of a page, the most that services give. */
export const PAGE_SIZE = 500;

/** All items of a list, read page by page. @param read returns the page of a token, which is empty for the first page */
export async function* allPages<Item>(read: (pageToken: string) => Promise<ListPage<Item>>): AsyncGenerator<Item> {
  let pageToken = "";
  do {
    const { items, nextPageToken } = await read(pageToken);
    yield* items;
    pageToken = nextPageToken;
  } while (pageToken !== "");
}

/** The answer of a call that searches a bounded stretch of a long list. */
type Chunk = { list: readonly unknown[]; next: number }

/** How many chunks are searched before the user has to ask for more. */
const MAX_CALLS = 10

/**
 * Fetches a page of a long list, and keeps fetching while the page is empty and more of the list remains to be
 * searched.
 */
export async function fetchUntilNonEmpty<Page extends Chunk>(
  from: number,
  fetch: (next: number) => Promise<Page>,
): Promise<Page> {
  let page = await fetch(from)
  for (let asked = 1; page.list.length === 0 && page.next > 0 && asked < MAX_CALLS; asked++)
    page = await fetch(page.next)
  return page
}

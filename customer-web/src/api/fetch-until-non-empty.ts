/** What a call answers that looks through a bounded stretch of a long list. */
type Chunk = { list: readonly unknown[]; next: number }

/** How many stretches are looked through before the reader is asked whether to go on. */
const MAX_CALLS = 10

/** A page of a long list: asks on while nothing was found and there is more to look through. */
export async function fetchUntilNonEmpty<Page extends Chunk>(
  from: number,
  fetch: (next: number) => Promise<Page>,
): Promise<Page> {
  let page = await fetch(from)
  for (let asked = 1; page.list.length === 0 && page.next > 0 && asked < MAX_CALLS; asked++)
    page = await fetch(page.next)
  return page
}

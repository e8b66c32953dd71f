/** Where a link of what is published leads: to a screen of ours, or out of the app. */
export type Target = { to: string } | { href: string }

/**
 * Reads a link: a route of the app, as it is or behind a hash, or a whole address with https. Null for
 * anything else, and for screens that this app does not have.
 */
export function targetOf(link: string, hasPath: (path: string) => boolean): Target | null {
  const route = link.startsWith('#/') ? link.slice(1) : link
  if (route.startsWith('/')) return hasPath(route.split('?')[0] ?? '') ? { to: route } : null
  return link.startsWith('https://') && URL.canParse(link) ? { href: link } : null
}

/** The product that a link leads to, if it leads to one. */
export function productIn(link: string): number | null {
  const id = /^#?\/(?:pc\/)?trade\?(?:.*&)?product=(\d{1,9})(?:&|$)/.exec(link)?.[1]
  return id === undefined ? null : Number(id)
}

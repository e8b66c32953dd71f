/** The target of a link in published content: a screen of the app, or an external address. */
export type Target = { to: string } | { href: string }

/**
 * Parses a link: a route of the app, with or without a hash, or an https address. Null for anything else, and for
 * screens that don't exist.
 */
export function targetOf(link: string, hasPath: (path: string) => boolean): Target | null {
  const route = link.startsWith('#/') ? link.slice(1) : link
  if (route.startsWith('/')) return hasPath(route.split('?')[0] ?? '') ? { to: route } : null
  return link.startsWith('https://') && URL.canParse(link) ? { href: link } : null
}

/** The product id of a link, if it has one. */
export function productIn(link: string): number | null {
  const id = /^#?\/(?:pc\/)?trade\?(?:.*&)?product=(\d{1,9})(?:&|$)/.exec(link)?.[1]
  return id === undefined ? null : Number(id)
}

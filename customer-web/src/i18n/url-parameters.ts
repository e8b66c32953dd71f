/**
 * Reads a parameter from the address, before or inside the hash, and removes it from the address bar and the
 * history. Null if absent.
 */
export function takeUrlParameter(name: string): string | null {
  const url = new URL(window.location.href)
  const [hashPath = '', hashQuery = ''] = split(url.hash, '?')
  const inHash = new URLSearchParams(hashQuery)
  const value = url.searchParams.get(name) ?? inHash.get(name)
  if (value === null) return null

  url.searchParams.delete(name)
  inHash.delete(name)
  const rest = inHash.toString()
  url.hash = rest === '' ? hashPath : `${hashPath}?${rest}`
  window.history.replaceState(window.history.state, '', url)
  return value
}

function split(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

// The server writes times in the zone of the person who reads them; a cookie tells it which.

const COOKIE = 'desk_zone'
const YEAR_SECONDS = 365 * 24 * 60 * 60

export function tellZone(): void {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const known = document.cookie.split('; ').includes(`${COOKIE}=${zone}`)
  if (!/^[A-Za-z0-9_+/-]{1,64}$/.test(zone) || known) return
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is not in every browser we serve
  document.cookie = `${COOKIE}=${zone}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax${secure}`
}

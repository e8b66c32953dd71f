export type FlagProps = {
  /** Country code in upper case. */
  country: string
}

const files = import.meta.glob<string>(
  '/../node_modules/country-flag-icons/3x2/{US,CN,TW,KR,JP,DE,RU,TH,SA,BR,FR,ES,TR,IN,KZ,MY,ID,PK,VN,MN,UZ,CZ,NL,IT,PL,GE}.svg',
  { query: '?url', import: 'default', eager: true },
)

const byCountry = new Map(
  Object.entries(files).map(([path, url]) => [path.replace(/^.*\/(\w+)\.svg$/, '$1'), url]),
)

/** A decorative flag beside a language name. */
export function Flag({ country }: FlagProps) {
  const url = byCountry.get(country)
  if (!url) return null
  return (
    <img
      src={url}
      alt=""
      width={27}
      height={18}
      style={{ borderRadius: 3, boxShadow: '0 0 0 1px var(--border-strong)', flex: 'none' }}
    />
  )
}

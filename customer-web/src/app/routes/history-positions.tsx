import { useSearchParams } from 'react-router'
import type { Product } from '@/features/market/api/products'
import { HistoryFilters } from '@/features/trading/components/history-filters'
import { HistoryList } from '@/features/trading/components/history-list'
import { HistoryPages } from '@/features/trading/components/history-pages'
import {
  dayOf,
  type HistoryFilter,
  readFilter,
  toHistoryQuery,
  writeFilter,
} from '@/features/trading/model/history-filter'
import { usePreferences } from '@/theme/preferences'
import { useDesktop } from '@/theme/use-media'
import { pageInQuery } from '@/ui/pagination-pages'

export type HistoryPositionsProps = { products: readonly Product[] }

/** The positions that were closed: filtered by the address, a page at a time. */
export function HistoryPositions({ products }: HistoryPositionsProps) {
  const desktop = useDesktop()
  const [params, setParams] = useSearchParams()
  const zone = usePreferences(({ timeZone }) => timeZone)
  const today = dayOf(Date.now(), zone)
  const filter = readFilter(params, today)
  const query = toHistoryQuery(filter, zone)
  const key = JSON.stringify(query)

  const change = (next: HistoryFilter) => setParams(writeFilter(next, today), { replace: true })
  const turn = (page: number) =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now)
        next.set('page', String(page))
        return next
      },
      { replace: true },
    )
  const reset = () => setParams({}, { replace: true })

  return (
    <>
      <HistoryFilters filter={filter} today={today} products={products} onChange={change} />
      {desktop ? (
        <HistoryPages
          key={key}
          query={query}
          page={pageInQuery(params)}
          products={products}
          onTurn={turn}
          onReset={reset}
        />
      ) : (
        <HistoryList key={key} query={query} products={products} onReset={reset} />
      )}
    </>
  )
}

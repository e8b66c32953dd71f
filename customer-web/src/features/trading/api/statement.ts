import { useQuery } from '@tanstack/react-query'
import { api, call, type Wire } from '@/api/client'
import { zoneName } from '@/format/zone'
import { usePreferences } from '@/theme/preferences'

type Period = { startTime: number; endTime: number }

const PER_CALL = 100
/** The most rows of a list in a statement; the CSV files hold more. */
export const MOST_ROWS = 2_000

type Page<Row> = { list: Row[]; next: number }

/** Everything in a statement of an account. */
export type AccountStatement = {
  sums: Wire['Statement']
  performance: Wire['Performance']
  positions: Wire['Position'][]
  entries: Wire['LedgerLine'][]
  /** Some list has more rows than a statement shows. */
  cut: boolean
}

/** The statement of the session's account for a period; days are those of the trader's zone. */
export function useStatement(period: Period) {
  const zone = zoneName(usePreferences(({ timeZone }) => timeZone))
  return useQuery({
    queryKey: ['history', 'statement', period, zone],
    queryFn: () => fetchStatement(period, zone),
  })
}

async function fetchStatement(period: Period, zone: string): Promise<AccountStatement> {
  const [sums, performance, positions, entries] = await Promise.all([
    call(api.GET('/client/wallet/findStatement', { params: { query: period } })),
    call(api.GET('/client/trade/findPerformance', { params: { query: { ...period, zone } } })),
    fetchRows((next) =>
      call(
        api.GET('/client/trade/findHistoryPage', {
          params: { query: { ...period, size: PER_CALL, ...next } },
        }),
      ),
    ),
    fetchRows((next) =>
      call(
        api.GET('/client/wallet/findLedgerPage', {
          params: { query: { ...period, size: PER_CALL, ...next } },
        }),
      ),
    ),
  ])
  return {
    sums,
    performance,
    positions: positions.rows,
    entries: entries.rows.filter(({ kind }) => !OF_POSITIONS.includes(kind)),
    cut: positions.cut || entries.cut,
  }
}

/** The kinds of entries that a position's own row shows. */
const OF_POSITIONS: readonly string[] = ['trade_open', 'trade_close', 'swap', 'dividend']

/** The rows of a list up to the most that a statement shows. */
async function fetchRows<Row>(fetchPage: (next: { next?: number }) => Promise<Page<Row>>) {
  const rows: Row[] = []
  let next = 0
  do {
    const page = await fetchPage(next > 0 ? { next } : {})
    rows.push(...page.list)
    next = page.next
  } while (next > 0 && rows.length < MOST_ROWS)
  return { rows: rows.slice(0, MOST_ROWS), cut: next > 0 || rows.length > MOST_ROWS }
}

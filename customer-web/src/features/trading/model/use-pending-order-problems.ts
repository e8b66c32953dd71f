import i18next from 'i18next'
import { CallFailure } from '@/api/client'
import { reasonOf } from '@/api/reason'
import type { Product } from '@/features/market/api/products'
import { usePreferences } from '@/theme/preferences'
import {
  fieldOf,
  type PendingOrderInput,
  type PendingOrderShape,
  type Problems,
  problemsOf,
} from './pending-order'
import { useMarketNow } from './use-market-now'

/** The problems of the input, found here or by the server; `atField` is set if its refusal is about a field. */
export function usePendingOrderProblems(
  product: Product,
  shape: PendingOrderShape,
  input: PendingOrderInput,
  quote: { bid: string; ask: string } | undefined,
  error: unknown,
): { problems: Problems; wrong: boolean; atField: boolean } {
  const now = useMarketNow()
  const zone = usePreferences(({ timeZone }) => timeZone)
  const problems = problemsOf(product, shape, input, quote, { now: now(), zone })
  const wrong = Object.keys(problems).length > 0
  const failure = error instanceof CallFailure ? error : null
  const field = fieldOf[failure?.code ?? '']
  if (field && failure) problems[field] ??= reasonOf(failure).reason
  const late = failure?.fields.expiresAt === 'field.future'
  if (late) problems.expiresAt ??= i18next.t('field.future')
  return { problems, wrong, atField: field !== undefined || late }
}

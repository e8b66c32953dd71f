import { boolean, enum as choice, object, pipe, refine, string, transform } from 'zod/mini'
import type { Zone } from '@/format/zone'
import { isPrice } from './is-price'
import { type PendingOrderKind, parseFieldTime, toRequestBody } from './pending-order'

const price = string().check(refine(isPrice, 'field.positive'))

/** A stop loss or take profit; one that is switched on has a price. */
export const protectionSchema = object({ on: boolean(), price: string() }).check(
  refine(({ on, price: at }) => !on || isPrice(at), 'position.protect.missing'),
)

/**
 * The form of a pending order, and the request body it becomes. What depends on the market is not part of it: the
 * fields show that with each quote.
 */
export function pendingOrderSchema(kind: PendingOrderKind, zone: Zone, now: () => number) {
  return pipe(
    object({
      price,
      limitPrice: kind === 'stop_limit' ? price : string(),
      stopLoss: protectionSchema,
      takeProfit: protectionSchema,
      force: choice(['gtc', 'day', 'date']),
      until: string(),
    }).check(
      refine(({ force, until }) => force !== 'date' || until !== '', {
        path: ['until'],
        error: 'field.date',
      }),
      refine(
        ({ force, until }) =>
          force !== 'date' || until === '' || parseFieldTime(until, zone) > now(),
        { path: ['until'], error: 'field.future' },
      ),
    ),
    transform((input) => toRequestBody(input, kind, zone)),
  )
}

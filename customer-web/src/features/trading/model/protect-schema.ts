import { boolean, nullable, object, pipe, refine, string, transform } from 'zod/mini'
import { completeNumeric } from '@/format/numeric-input'
import { isPrice } from './is-price'

/** A stop loss or take profit that is edited. */
export type Protection = {
  on: boolean
  price: string
  /** As typed; null while it follows from the price. */
  amount: string | null
  /** The same for the distance or share of the price, where that is typed. */
  text: string | null
}

const isComplete = ({ on, price }: { on: boolean; price: string }) => !on || isPrice(price)

const protection = object({
  on: boolean(),
  price: string(),
  amount: nullable(string()),
  text: nullable(string()),
}).check(refine(isComplete, 'position.protect.missing'))

const trail = object({ on: boolean(), price: string() }).check(
  refine(isComplete, 'position.trail.missing'),
)

const kinds = ['stopLoss', 'takeProfit', 'trailingStop'] as const

/** The protection of a position, and the part of the request body that it becomes: what is switched off is cleared. */
export const protectSchema = pipe(
  object({ stopLoss: protection, takeProfit: protection, trailingStop: trail }),
  transform((values) => {
    const body: Partial<Record<(typeof kinds)[number], string>> = {}
    for (const kind of kinds) if (values[kind].on) body[kind] = completeNumeric(values[kind].price)
    return body
  }),
)

import { object, refine, string } from 'zod/mini'
import type { Product } from '@/features/market/api/products'
import { partProblem } from './close-part'

/** The volume of a position to close; `of` is all of it. */
export const closePartSchema = (product: Pick<Product, 'lotMin' | 'lotStep'>, of: string) =>
  object({
    lots: string().check(
      refine((lots) => partProblem(product, lots, of) !== 'lots', 'error.order.lots'),
      refine((lots) => partProblem(product, lots, of) !== 'rest', 'position.close.rest'),
    ),
  })

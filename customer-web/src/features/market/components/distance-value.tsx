import { Num } from '@/ui/num'
import type { Product } from '../api/products'
import { useDistanceText } from '../model/pips'

export type DistanceValueProps = {
  product: Pick<Product, 'type' | 'point' | 'quote'>
  distance: string | undefined
}

/** A distance between two prices in the unit of the product, a spread for example. */
export function DistanceValue({ product, distance }: DistanceValueProps) {
  const text = useDistanceText(product)
  return <Num>{text(distance)}</Num>
}

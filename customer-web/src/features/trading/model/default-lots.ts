import type { Product } from '@/features/market/api/products'
import { toScaled } from '@/format/arithmetic'
import { storage } from '@/storage/storage'

const SCALE = 6

/** Reports whether a product can be ordered in a volume. */
export function isVolume(product: Product, lots: string): boolean {
  const [volume, min, max, step] = [lots, product.lotMin, product.lotMax, product.lotStep].map(
    (text) => toScaled(text, SCALE),
  )
  if (volume == null || min == null || max == null || !step) return false
  return volume >= min && volume <= max && (volume - min) % step === 0n
}

/** The volume of a new order in lots: the trader's default while the product allows it, else the smallest. */
export function defaultLots(product: Product): string {
  const stored = storage.read('defaultLots')?.[product.productId]
  return stored !== undefined && isVolume(product, stored) ? stored : product.lotMin
}

/** Stores the trader's default volume of a product. */
export function setDefaultLots(product: Product, lots: string): void {
  storage.write('defaultLots', { ...storage.read('defaultLots'), [product.productId]: lots })
}

import type { Product } from '@/features/market/api/products'
import { noteChange } from '@/storage/preference-changes'
import { storage } from '@/storage/storage'
import { isVolume } from './lots'

/** The volume of a new order in lots: the trader's default while the product allows it, else the smallest. */
export function defaultLots(product: Product): string {
  const stored = storage.read('defaultLots')?.[product.productId]
  return stored !== undefined && isVolume(product, stored) ? stored : product.lotMin
}

/** Stores the trader's default volume of a product. */
export function setDefaultLots(product: Product, lots: string): void {
  storage.write('defaultLots', { ...storage.read('defaultLots'), [product.productId]: lots })
  noteChange('defaultLots')
}

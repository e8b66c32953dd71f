import { storage } from '@/storage/storage'

type IdList = 'favourites' | 'selfList' | 'hotList'

/** Product ids stored in the browser; anything that is not an id is skipped. */
export function readIds(key: IdList): number[] {
  const ids = (storage.read(key) ?? [])
    .map(Number)
    .filter((id) => Number.isSafeInteger(id) && id > 0)
  return [...new Set(ids)]
}

export function writeIds(key: IdList, ids: readonly number[]): void {
  storage.write(key, ids.map(String))
}

import { LAZY_IMAGE_CACHE_SIZE } from '@/constants'

const loaded = new Set<string>()

/** Whether this picture was shown before: it then appears without waiting. */
export function wasLoaded(src: string): boolean {
  return loaded.has(src)
}

/** Remembers a picture; the one not seen for the longest is forgotten beyond 200. */
export function rememberLoaded(src: string): void {
  loaded.delete(src)
  loaded.add(src)
  for (const oldest of loaded) {
    if (loaded.size <= LAZY_IMAGE_CACHE_SIZE) break
    loaded.delete(oldest)
  }
}

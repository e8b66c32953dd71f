import { LAZY_IMAGE_CACHE_SIZE } from '@/constants'

const loaded = new Set<string>()

/** Reports whether this picture was shown before; it then appears without delay. */
export function wasLoaded(src: string): boolean {
  return loaded.has(src)
}

/** Remembers a picture; beyond 200 the least recently used one is forgotten. */
export function rememberLoaded(src: string): void {
  loaded.delete(src)
  loaded.add(src)
  for (const oldest of loaded) {
    if (loaded.size <= LAZY_IMAGE_CACHE_SIZE) break
    loaded.delete(oldest)
  }
}

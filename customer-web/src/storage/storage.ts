import { readEntry, type StorageEntries, type StorageKey, toStoredText } from './entries'

/** Values the browser refused to store; they are newer than what it still has. */
const memory = new Map<string, string>()

/**
 * The app's only access to localStorage. Reading never throws: a missing, broken or foreign value is null. If the
 * browser can't store (private modes, full disks), values last until the page is closed.
 */
export const storage = {
  read<K extends StorageKey>(key: K): StorageEntries[K] | null {
    const text = readText(key)
    return text === null ? null : readEntry(key, text)
  },

  write<K extends StorageKey>(key: K, value: StorageEntries[K]): void {
    const text = toStoredText(value)
    try {
      localStorage.setItem(key, text)
      memory.delete(key)
    } catch {
      memory.set(key, text)
    }
  },

  remove(...keys: StorageKey[]): void {
    for (const key of keys) {
      memory.delete(key)
      try {
        localStorage.removeItem(key)
      } catch {
        // There is nothing to remove.
      }
    }
  },

  /** Calls back when another tab changes the entry; returns the unsubscribe function. */
  onChangeElsewhere(key: StorageKey, listener: () => void): () => void {
    const listen = (event: StorageEvent) => {
      if (event.key !== key && event.key !== null) return
      memory.delete(key)
      listener()
    }
    window.addEventListener('storage', listen)
    return () => window.removeEventListener('storage', listen)
  },
}

function readText(key: StorageKey): string | null {
  try {
    return memory.get(key) ?? localStorage.getItem(key)
  } catch {
    return null
  }
}

import type { StoredUser } from '@/storage/entries'
import { storage } from '@/storage/storage'

/** What a tab that switches the account does, in the order in which the others hear of it. */
export function switchElsewhere(token: string, user: StoredUser): void {
  storage.write('token', token)
  window.dispatchEvent(new StorageEvent('storage', { key: 'token' }))
  storage.write('userInfo', user)
  window.dispatchEvent(new StorageEvent('storage', { key: 'userInfo' }))
}

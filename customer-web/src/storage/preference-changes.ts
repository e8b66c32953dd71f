import { GUEST_ACCOUNT_TYPE } from '@/constants'
import type { PreferenceChange, PreferenceName } from './entries'
import { storage } from './storage'

/** The owner of changes that stay on this device; no trader has such an id. */
const DEVICE = 'device'

const listeners = new Set<() => void>()

type Changes = { deviceOnly?: string | undefined; fields: Record<string, PreferenceChange> }

/** The changes of preferences on this device. */
export function readChanges(): Changes {
  return storage.read('preferenceChanges') ?? { fields: {} }
}

export function writeChanges(changes: Changes): void {
  storage.write('preferenceChanges', changes)
}

/** Notes that the trader changed a preference: at a time, ms, that any other change is newer than if it is 0. */
export function noteChange(name: PreferenceName, at = Date.now()): void {
  const user = storage.read('token') === null ? null : storage.read('userInfo')
  const owner = user && user.type !== GUEST_ACCOUNT_TYPE ? { owner: user.userId } : {}
  const changes = readChanges()
  writeChanges({ ...changes, fields: { ...changes.fields, [name]: { at, ...owner } } })
  for (const listener of listeners) listener()
}

/** Calls back after each change; returns the unsubscribe function. */
export function onPreferenceChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Keeps a trader's settings of this device on it. Afterwards what was changed meanwhile gives way to the account's. */
export function setDeviceOnly(userId: string, on: boolean): void {
  const { fields } = readChanges()
  if (on) writeChanges({ deviceOnly: userId, fields })
  else {
    const own = Object.entries(fields).map(([name, { at }]) => [name, { at, owner: DEVICE }])
    writeChanges({ fields: Object.fromEntries(own) })
  }
  for (const listener of listeners) listener()
}

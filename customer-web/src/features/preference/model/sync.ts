import { CallFailure } from '@/api/client'
import { serverNow } from '@/api/request-headers'
import type { PreferenceName } from '@/storage/entries'
import { onPreferenceChange, readChanges, writeChanges } from '@/storage/preference-changes'
import { type AccountPreferences, getPreferences, savePreferences } from '../api/preferences'
import { type LocalChanges, merge, serverTime } from './merge'
import { applyValues, defaultValue, isUsable, readValue } from './values'

/** Changes within this time are sent together. */
export const SEND_DELAY_MS = 1_500
/** A window that gets the focus again after this time reads the account's preferences. */
export const READ_AGAIN_MS = 5 * 60_000
/** The pauses before a failed attempt is repeated; the last one repeats. */
export const RETRY_MS = [5_000, 15_000, 60_000]

const clockOffset = () => serverNow() - Date.now()

/** The changes of another trader's time stay theirs; what was changed without an account is now this trader's. */
function claim(userId: string): void {
  const { deviceOnly, fields } = readChanges()
  const claimed = Object.entries(fields).map(([name, change]) => [
    name,
    { ...change, owner: change.owner ?? userId },
  ])
  writeChanges({
    fields: Object.fromEntries(claimed),
    ...(deviceOnly === userId ? { deviceOnly } : {}),
  })
}

/** Takes what is newer in the account; returns the names of what is newer here. */
async function take(
  account: AccountPreferences,
  userId: string,
  sent?: LocalChanges,
): Promise<PreferenceName[]> {
  const changes = readChanges()
  const decided = merge(changes.fields, account, userId, clockOffset(), sent)
  const fields = { ...changes.fields }
  const values: Partial<Record<PreferenceName, unknown>> = {}
  for (const name of decided.take) {
    const { value, changedAt } = account[name] ?? { value: undefined, changedAt: 0 }
    if (isUsable(name, value)) {
      if (JSON.stringify(readValue(name)) !== JSON.stringify(value)) values[name] = value
      fields[name] = { at: changedAt, owner: userId, stored: true }
    } else if (fields[name] && fields[name].owner !== userId) decided.reset.push(name)
  }
  for (const name of decided.reset) {
    values[name] = defaultValue(name)
    delete fields[name]
  }
  writeChanges({ ...changes, fields })
  await applyValues(values)
  return decided.send
}

/** Sends this device's newer changes. */
async function send(names: readonly PreferenceName[], isOver: () => boolean, userId: string) {
  const { fields } = readChanges()
  const offset = clockOffset()
  const changes = names.flatMap((name) => {
    const [value, change] = [readValue(name), fields[name]]
    if (!change || !isUsable(name, value)) return []
    return [{ name, value, changedAt: serverTime(change, offset) }]
  })
  if (changes.length === 0) return
  const account = await savePreferences(changes)
  const sent = Object.fromEntries(changes.map(({ name }) => [name, fields[name]]))
  if (!isOver()) await take(account, userId, sent)
}

/** Whether a later attempt may succeed: the server did not answer, or asks for patience. */
function mayRetry(failure: unknown): boolean {
  if (!(failure instanceof CallFailure)) return false
  return failure.httpStatus === 0 || failure.httpStatus === 429 || failure.httpStatus >= 500
}

/**
 * Keeps the preferences of this device and of a registered trader's account the same: now, after each change, and when
 * the window gets the focus again. Failures are repeated and never shown. Returns the function that ends it.
 */
export function startSync(userId: string): () => void {
  let over = false
  let running = false
  let again = false
  let failures = 0
  let readAt = 0
  let waiting: ReturnType<typeof setTimeout> | undefined
  const isOver = () => over || readChanges().deviceOnly === userId

  const schedule = (delay: number) => {
    clearTimeout(waiting)
    if (!over) waiting = setTimeout(run, delay)
  }

  const run = async () => {
    if (running) {
      again = true
      return
    }
    if (isOver()) return
    running = true
    try {
      const account = await getPreferences()
      if (!isOver()) await send(await take(account, userId), isOver, userId)
      failures = 0
      readAt = Date.now()
    } catch (failure) {
      if (mayRetry(failure)) schedule(RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)] ?? 0)
    }
    running = false
    if (again) schedule(SEND_DELAY_MS)
    again = false
  }

  const onFocus = () => {
    if (!document.hidden && Date.now() - readAt >= READ_AGAIN_MS) void run()
  }

  claim(userId)
  void run()
  const stopListening = onPreferenceChange(() => schedule(SEND_DELAY_MS))
  window.addEventListener('focus', onFocus)
  document.addEventListener('visibilitychange', onFocus)
  return () => {
    over = true
    clearTimeout(waiting)
    stopListening()
    window.removeEventListener('focus', onFocus)
    document.removeEventListener('visibilitychange', onFocus)
  }
}

import { useEffect } from 'react'
import { create } from 'zustand'
import { correctClock, requestHeaders } from '@/api/request-headers'
import { PLATFORM_CHECK_INTERVAL_MS, REQUEST_TIMEOUT_MS } from '@/constants'

export type PlatformStatus =
  | { kind: 'running' }
  /**
   * The device has no network, or two checks in a row got no response. `since` is the time of the last response, ms;
   * 0 if there was none yet.
   */
  | { kind: 'offline'; since: number }
  /** The platform reported that it is not running. */
  | { kind: 'stopped'; code?: string; cnMsg?: string; enMsg?: string; until?: number }

type Answer = {
  status?: number
  data?: unknown
  code?: string
  cnMsg?: string
  enMsg?: string
  /** Planned end of the maintenance, ms. */
  args?: { until?: string }
  /** Sent with a refused signature: the device clock is wrong. */
  serverTime?: number
}

/** Reports whether the platform is in maintenance: it answers but accepts only messages to support. */
export function inMaintenance(status: PlatformStatus): boolean {
  return status.kind === 'stopped' && status.code === 'platform.maintenance'
}

/** Fetches the platform status; rejects without a response. */
export type FetchStatus = () => Promise<Answer>

const FAILURES_UNTIL_OFFLINE = 2

export const usePlatformStatus = create<PlatformStatus>(() => ({ kind: 'running' }))

let failures = 0
let answeredAt = 0
let checks = 0

/** Checks the platform status once and updates the store; of concurrent checks the latest wins. */
export async function checkPlatform(fetchStatus: FetchStatus = fetchRunningStatus): Promise<void> {
  if (!navigator.onLine) {
    set({ kind: 'offline', since: answeredAt })
    return
  }
  const check = ++checks
  try {
    let answer = await fetchStatus()
    if (answer.status !== 1 && answer.serverTime) {
      correctClock(answer.serverTime)
      answer = await fetchStatus()
    }
    if (check !== checks) return
    failures = 0
    answeredAt = Date.now()
    set(toStatus(answer))
  } catch {
    if (check !== checks) return
    failures += 1
    if (failures >= FAILURES_UNTIL_OFFLINE) set({ kind: 'offline', since: answeredAt })
  }
}

/** Checks at once, every 20 s, and whenever the network comes or goes. */
export function usePlatformWatch(): void {
  useEffect(() => {
    const check = () => void checkPlatform()
    check()
    const timer = setInterval(check, PLATFORM_CHECK_INTERVAL_MS)
    window.addEventListener('online', check)
    window.addEventListener('offline', check)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', check)
      window.removeEventListener('offline', check)
    }
  }, [])
}

function toStatus({ status, data, code, cnMsg, enMsg, args }: Answer): PlatformStatus {
  if (status === 1 && Number(data) === 1) return { kind: 'running' }
  return {
    kind: 'stopped',
    ...(code && code !== 'ok' ? { code } : {}),
    ...(cnMsg ? { cnMsg } : {}),
    ...(enMsg ? { enMsg } : {}),
    ...(Number(args?.until) > 0 ? { until: Number(args?.until) } : {}),
  }
}

function set(status: PlatformStatus): void {
  if (status.kind === 'running') failures = 0
  usePlatformStatus.setState(status, true)
}

async function fetchRunningStatus(): Promise<Answer> {
  const response = await fetch('/client/common/platformRunningStatus', {
    headers: requestHeaders(),
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    cache: 'no-store',
  })
  return (await response.json()) as Answer
}

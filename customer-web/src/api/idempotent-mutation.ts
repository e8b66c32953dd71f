import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { CallFailure, newWrite, type Write } from './client'

/** How often an unanswered write is retried with the same key before the trader is notified. */
const CHECKS = 3
const CHECK_PAUSE_MS = 1_500

/** Reports whether the outcome of a write is unknown: no response came, or none from our server. */
export function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof CallFailure && (error.httpStatus === 0 || error.httpStatus >= 502)
}

/** Sends a write and retries it with the same key while no response comes; the server runs it once. */
async function sendOnce<T>(send: () => Promise<T>, onChecking: () => void): Promise<T> {
  for (let check = 0; ; check++) {
    try {
      return await send()
    } catch (error) {
      if (!isOutcomeUnknown(error) || check === CHECKS) throw error
      onChecking()
      await new Promise((resolve) => setTimeout(resolve, CHECK_PAUSE_MS))
    }
  }
}

export type IdempotentMutation<Body, Result> = {
  send: (body: Body, write: Write) => Promise<Result>
  /** The part of the body that identifies the write. New proof fields, for example, don't make it a new write. */
  sameBy?: (body: Body) => unknown
  onAnswer?: (result: Result) => void
  /** No response came yet; the same write is being retried. */
  onChecking?: (() => void) | undefined
}

/**
 * Runs after the response even when the component is unmounted: an event about the effect may arrive before the
 * response.
 */
type Asked<Result> = {
  onSuccess?: (result: Result) => void
  onError?: (error: Error) => void
  onSettled?: () => void
}

/**
 * A mutation that must not run twice. Pressing the button creates a key, and the key is kept while the outcome is
 * unknown, so pressing again asks for the first answer instead of acting twice.
 */
export function useIdempotentMutation<Body, Result>({
  send,
  sameBy = (body) => body,
  onAnswer,
  onChecking = () => {},
}: IdempotentMutation<Body, Result>) {
  const write = useRef<(Write & { body: string }) | null>(null)
  const asked = useRef<Asked<Result>>({})
  const running = useRef(false)
  const { mutate, ...rest } = useMutation({
    mutationFn: (body: Body) => {
      const text = JSON.stringify(sameBy(body))
      if (write.current?.body !== text) write.current = { body: text, ...newWrite() }
      const { current } = write
      return sendOnce(() => send(body, current), onChecking)
    },
    onSuccess: (result) => {
      write.current = null
      onAnswer?.(result)
      asked.current.onSuccess?.(result)
    },
    onError: (error) => {
      if (error instanceof CallFailure && !isOutcomeUnknown(error)) write.current = null
      asked.current.onError?.(error)
    },
    onSettled: () => {
      running.current = false
      asked.current.onSettled?.()
    },
  })
  return {
    ...rest,
    /** Ignored while the last one runs: a second press can come before the first one is rendered. */
    mutate: (body: Body, then: Asked<Result> = {}) => {
      if (running.current) return
      running.current = true
      asked.current = then
      mutate(body)
    },
  }
}

import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { CallFailure, newKey } from './client'

/** How often an unanswered write is asked for again, with the same key, before the trader is told. */
const CHECKS = 3
const CHECK_PAUSE_MS = 1_500

/** Whether nobody knows if a write had its effect: no answer came, or none from our server. */
export function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof CallFailure && (error.httpStatus === 0 || error.httpStatus >= 502)
}

/** Sends a write; when no answer comes it asks again with the same key, which can't have a second effect. */
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
  send: (body: Body, key: string) => Promise<Result>
  /** What makes it the same write, where a body holds more: a proof that is given anew makes no other one. */
  sameBy?: (body: Body) => unknown
  onAnswer?: (result: Result) => void
  /** No answer came yet; the same write is asked for again. */
  onChecking?: (() => void) | undefined
}

/** What follows the answer, also where what asked is gone by then: news of the effect may come before the answer. */
type Asked<Result> = {
  onSuccess?: (result: Result) => void
  onError?: (error: Error) => void
  onSettled?: () => void
}

/**
 * A write that must not happen twice. A press makes a key; the key is kept while the outcome is unknown,
 * so that pressing again asks for the first answer instead of acting twice.
 */
export function useIdempotentMutation<Body, Result>({
  send,
  sameBy = (body) => body,
  onAnswer,
  onChecking = () => {},
}: IdempotentMutation<Body, Result>) {
  const key = useRef<{ body: string; value: string } | null>(null)
  const asked = useRef<Asked<Result>>({})
  const { mutate, ...rest } = useMutation({
    mutationFn: (body: Body) => {
      const text = JSON.stringify(sameBy(body))
      if (key.current?.body !== text) key.current = { body: text, value: newKey() }
      const value = key.current.value
      return sendOnce(() => send(body, value), onChecking)
    },
    onSuccess: (result) => {
      key.current = null
      onAnswer?.(result)
      asked.current.onSuccess?.(result)
    },
    onError: (error) => {
      if (error instanceof CallFailure && !isOutcomeUnknown(error)) key.current = null
      asked.current.onError?.(error)
    },
    onSettled: () => asked.current.onSettled?.(),
  })
  return {
    ...rest,
    mutate: (body: Body, then: Asked<Result> = {}) => {
      asked.current = then
      mutate(body)
    },
  }
}

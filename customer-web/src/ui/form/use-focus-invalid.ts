import { type RefObject, useEffect, useRef } from 'react'
import type { Problems } from './problems'

/** Moves the focus to the first invalid field whenever problems are found. */
export function useFocusInvalid(problems: Problems): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (Object.keys(problems).length === 0) return
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [problems])
  return form
}

import { useEffect, useRef } from 'react'
import { usePreferences } from '@/theme/preferences'

/** Actions by key, in lower case: letters, signs, or names such as "Enter". */
export type Shortcuts = Readonly<Record<string, (event: KeyboardEvent) => void>>

const FIELDS = 'input, textarea, select, [contenteditable="true"]'

/** Reports whether a key belongs to what has the focus: a field or an open dialog. */
function isTaken({ target }: KeyboardEvent): boolean {
  if (document.querySelector('[role="dialog"]')) return true
  return target instanceof Element && target.closest(FIELDS) !== null
}

/** The Latin letter or the sign of a key, on keyboards of other scripts by the key's place. */
function keyOf({ key, code }: KeyboardEvent): string {
  if (/^[!-~]$/.test(key)) return key.toLowerCase()
  return code.startsWith('Key') ? code.slice(3).toLowerCase() : key
}

/**
 * Binds single keys to actions while the component is shown, unless the trader has switched shortcuts off. Keys typed
 * into a field, pressed with Ctrl, Alt or Meta, or while a dialog is open are left alone.
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const on = usePreferences((preferences) => preferences.shortcuts)
  const latest = useRef(shortcuts)
  useEffect(() => {
    latest.current = shortcuts
  })
  useEffect(() => {
    if (!on) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTaken(event)) return
      const act = latest.current[keyOf(event)]
      if (!act) return
      event.preventDefault()
      act(event)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [on])
}

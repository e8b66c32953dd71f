import { useEffect, useRef } from 'react'

/** https://html.spec.whatwg.org/multipage/interaction.html#close-watcher; not in TypeScript's library yet. */
type CloseWatcher = { onclose: (() => void) | null; destroy: () => void }
declare const CloseWatcher: { new (): CloseWatcher } | undefined

/**
 * Calls back when the device asks to close what is open: Android's back button or gesture, in browsers that report
 * it. Without it, back would leave the page below.
 */
export function useCloseRequest(open: boolean, onClose: (() => void) | undefined): void {
  const latest = useRef(onClose)
  useEffect(() => {
    latest.current = onClose
  })
  const wanted = open && onClose !== undefined
  useEffect(() => {
    if (!wanted || typeof CloseWatcher === 'undefined') return
    const watcher = new CloseWatcher()
    watcher.onclose = () => latest.current?.()
    return () => watcher.destroy()
  }, [wanted])
}

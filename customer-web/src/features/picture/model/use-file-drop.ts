import { type DragEvent, useEffect, useRef, useState } from 'react'

/** The file of a drop or a paste, if there is one. */
export function transferredFile(transfer: DataTransfer | null): File | undefined {
  return transfer?.files[0]
}

/** Takes a file that is dropped on an element, and while `paste` is set one that is pasted outside text fields. */
export function useFileDrop(take: (file: File) => void, disabled: boolean, paste = true) {
  const [over, setOver] = useState(false)
  const latest = useRef(take)
  latest.current = take

  useEffect(() => {
    if (disabled || !paste) return
    const onPaste = (event: ClipboardEvent) => {
      const file = transferredFile(event.clipboardData)
      if (!file || event.defaultPrevented || isTextField(event.target)) return
      event.preventDefault()
      latest.current(file)
    }
    document.addEventListener('paste', onPaste)
    return () => document.removeEventListener('paste', onPaste)
  }, [disabled, paste])

  const carriesFile = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')
  return {
    over,
    handlers: {
      onDragOver: (event: DragEvent) => {
        if (!carriesFile(event)) return
        // Otherwise the browser opens the file in place of the app.
        event.preventDefault()
        if (!disabled) setOver(true)
      },
      onDragLeave: (event: DragEvent) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      },
      onDrop: (event: DragEvent) => {
        if (!carriesFile(event)) return
        event.preventDefault()
        setOver(false)
        const file = transferredFile(event.dataTransfer)
        if (file && !disabled) take(file)
      },
    },
  }
}

function isTextField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, [contenteditable]') !== null
}

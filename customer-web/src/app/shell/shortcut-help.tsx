import { useState } from 'react'
import { useShortcuts } from '@/ui/use-shortcuts'
import { ShortcutSheet } from '../parts/shortcut-sheet'

/** Opens the list of shortcuts with "?". */
export function ShortcutHelp() {
  const [open, setOpen] = useState(false)
  useShortcuts({ '?': () => setOpen(true) })
  return <ShortcutSheet open={open} onClose={() => setOpen(false)} />
}

import { type ReactNode, useId, useState } from 'react'
import { Icon } from './icons/icon'

export type DisclosureProps = {
  /** Stands in the button that opens and closes it. */
  head: ReactNode
  children: ReactNode
  /** Classes of the button and of what it opens. */
  className?: string | undefined
  panelClassName?: string | undefined
  /** It was opened. */
  onOpen?: () => void
}

/** One entry of an accordion: a button, and what it opens below itself. */
export function Disclosure({ head, children, className, panelClassName, onOpen }: DisclosureProps) {
  const panelId = useId()
  const [open, setOpen] = useState(false)
  const press = () => {
    setOpen(!open)
    if (!open) onOpen?.()
  }
  return (
    <>
      <button
        type="button"
        className={className}
        aria-expanded={open}
        aria-controls={panelId}
        onClick={press}
      >
        {head}
        <Icon name="caret" />
      </button>
      <div id={panelId} className={panelClassName} hidden={!open}>
        {open && children}
      </div>
    </>
  )
}

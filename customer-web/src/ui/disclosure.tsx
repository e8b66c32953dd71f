import ButtonBase from '@mui/material/ButtonBase'
import Collapse from '@mui/material/Collapse'
import { type ReactNode, useId, useState } from 'react'
import { cx } from './cx'
import { Icon } from './icons/icon'

export type DisclosureProps = {
  /** The content of the button that toggles it. */
  head: ReactNode
  children: ReactNode
  /** Classes of the button and the panel. */
  className?: string | undefined
  panelClassName?: string | undefined
  /** Called when it is opened. */
  onOpen?: () => void
}

/** An accordion entry: a button, and a panel below it. */
export function Disclosure({ head, children, className, panelClassName, onOpen }: DisclosureProps) {
  const panelId = useId()
  const [open, setOpen] = useState(false)
  const press = () => {
    setOpen(!open)
    if (!open) onOpen?.()
  }
  return (
    <>
      <ButtonBase
        type="button"
        className={cx(className)}
        aria-expanded={open}
        aria-controls={panelId}
        onClick={press}
      >
        {head}
        <Icon name="caret" />
      </ButtonBase>
      <Collapse in={open} unmountOnExit id={panelId}>
        <div className={panelClassName}>{children}</div>
      </Collapse>
    </>
  )
}

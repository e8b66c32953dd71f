import Accordion from '@mui/material/Accordion'
import AccordionSummary from '@mui/material/AccordionSummary'
import { type ReactNode, useId } from 'react'
import { cx } from './cx'
import styles from './disclosure.module.css'
import { Icon } from './icons/icon'

export type DisclosureProps = {
  /** The content of the button that toggles it. */
  head: ReactNode
  children: ReactNode
  /** Classes of the button and the panel. */
  className?: string | undefined
  panelClassName?: string | undefined
  /** Whether it is open, if its owner decides. */
  open?: boolean
  /** Open at first. */
  startsOpen?: boolean
  onToggle?: (open: boolean) => void
}

/** An accordion entry: a button, and a panel below it. */
export function Disclosure({
  head,
  children,
  className,
  panelClassName,
  open,
  startsOpen = false,
  onToggle,
}: DisclosureProps) {
  const id = useId()
  return (
    <Accordion
      disableGutters
      {...(open === undefined ? { defaultExpanded: startsOpen } : { expanded: open })}
      onChange={(_, opened) => onToggle?.(opened)}
      slots={{ root: 'div', heading: 'div' }}
      slotProps={{
        root: { className: cx(styles.flat) },
        heading: { className: cx(styles.flat) },
        transition: { unmountOnExit: true },
        region: { className: cx(panelClassName) },
      }}
    >
      <AccordionSummary
        id={`${id}-head`}
        aria-controls={`${id}-panel`}
        className={cx(className)}
        slotProps={{ content: { className: cx(styles.flat) } }}
      >
        {head}
        <Icon name="caret" />
      </AccordionSummary>
      {children}
    </Accordion>
  )
}

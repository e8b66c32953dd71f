import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { useLanguage } from '@/i18n/use-language'
import { cx } from './cx'
import styles from './splitter.module.css'

export type SplitterProps = {
  /** What is resized. */
  label: string
  /** `column` stands between panels side by side, `row` between panels above each other. */
  between: 'column' | 'row'
  /** The size of the panel that is resized, in pixels. */
  value: number
  min: number
  max: number
  /** The panel lies after the splitter: moving towards the start, or up, makes it larger. */
  after?: boolean
  onChange: (value: number) => void
  /** A double click returns to the usual size. */
  onReset: () => void
  className?: string | undefined
}

const STEP = 16

/** Resizes a panel by dragging or by arrow keys; Home and End go to the smallest and the largest size. */
export function Splitter(props: SplitterProps) {
  const { label, between, value, min, max, after = false, onChange, onReset, className } = props
  const { dir } = useLanguage()
  const drag = useRef<{ at: number; from: number } | null>(null)
  const column = between === 'column'
  const resize = (to: number) => onChange(Math.min(max, Math.max(min, Math.round(to))))
  /** How much larger the panel gets per pixel to the right, or down. */
  const way = (after ? -1 : 1) * (column && dir === 'rtl' ? -1 : 1)
  const positionOf = (event: PointerEvent) => (column ? event.clientX : event.clientY)

  const onKeyDown = (event: KeyboardEvent) => {
    const to = keyTarget(event.key, column, { value, min, max, way })
    if (to === null) return
    event.preventDefault()
    resize(to)
  }

  return (
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={column ? 'vertical' : 'horizontal'}
      aria-valuenow={value}
      aria-valuemin={min}
      aria-valuemax={max}
      className={cx(styles.splitter, styles[between], className)}
      onKeyDown={onKeyDown}
      onDoubleClick={onReset}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        drag.current = { at: positionOf(event), from: value }
      }}
      onPointerMove={(event) => {
        const start = drag.current
        if (start) resize(start.from + way * (positionOf(event) - start.at))
      }}
      onLostPointerCapture={() => {
        drag.current = null
      }}
    />
  )
}

type Range = { value: number; min: number; max: number; way: number }

function keyTarget(key: string, column: boolean, { value, min, max, way }: Range): number | null {
  switch (key) {
    case column ? 'ArrowRight' : 'ArrowDown':
      return value + way * STEP
    case column ? 'ArrowLeft' : 'ArrowUp':
      return value - way * STEP
    case 'Home':
      return min
    case 'End':
      return max
    default:
      return null
  }
}

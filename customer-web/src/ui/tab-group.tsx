import { type KeyboardEvent, useRef } from 'react'
import { useLanguage } from '@/i18n/use-language'
import { cx } from './cx'
import styles from './tab-group.module.css'

export type TabItem = {
  title: string
  /** Selected, if the group has no `active`. */
  active?: boolean
  /** Hidden, for example because its feature is switched off. */
  hidden?: boolean
  /** A number after the title, in grey. */
  count?: number
}

export type TabGroupProps = {
  /** `group` is a row of joined cells, `line` has an accent line below the selected one. */
  type?: 'group' | 'line'
  /** Index of the selected item in `list`. */
  active?: number
  list: readonly TabItem[]
  onChange: (index: number) => void
  /** The accessible name of the tabs. */
  label: string
  /** The id of the panel, if all tabs share one. */
  panelId?: string
  className?: string | undefined
}

/** Tabs: arrow keys move between them, Home and End go to the outer ones, only the selected one is in the tab order. */
export function TabGroup({
  type = 'group',
  active,
  list,
  onChange,
  label,
  panelId,
  className,
}: TabGroupProps) {
  const { dir } = useLanguage()
  const buttons = useRef(new Map<number, HTMLButtonElement>())
  const shown = list.map((item, index) => ({ ...item, index })).filter(({ hidden }) => !hidden)
  const wanted = active ?? list.findIndex((item) => item.active)
  const chosen = shown.some(({ index }) => index === wanted) ? wanted : (shown[0]?.index ?? -1)

  const onKeyDown = (event: KeyboardEvent) => {
    const at = shown.findIndex(({ index }) => index === chosen)
    const to = targetOf(event.key, at, shown.length, dir)
    const next = to === null ? undefined : shown[to]
    if (!next) return
    event.preventDefault()
    buttons.current.get(next.index)?.focus()
    onChange(next.index)
  }

  return (
    <div
      role="tablist"
      aria-label={label}
      className={cx(styles[type], className)}
      onKeyDown={onKeyDown}
    >
      {shown.map(({ index, title, count }) => (
        <button
          key={index}
          ref={(button) => {
            if (button) buttons.current.set(index, button)
            else buttons.current.delete(index)
          }}
          type="button"
          role="tab"
          className={cx(styles.tab, index === chosen && styles.on)}
          aria-selected={index === chosen}
          aria-controls={panelId}
          tabIndex={index === chosen ? 0 : -1}
          onClick={() => onChange(index)}
        >
          {title}
          {count !== undefined && count > 0 && <span className={styles.count}>{count}</span>}
        </button>
      ))}
    </div>
  )
}

function targetOf(key: string, at: number, length: number, dir: 'ltr' | 'rtl'): number | null {
  const forward = dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
  const backward = dir === 'rtl' ? 'ArrowRight' : 'ArrowLeft'
  switch (key) {
    case forward:
      return (at + 1) % length
    case backward:
      return (at - 1 + length) % length
    case 'Home':
      return 0
    case 'End':
      return length - 1
    default:
      return null
  }
}

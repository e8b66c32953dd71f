import Tab from '@mui/material/Tab'
import Tabs from '@mui/material/Tabs'
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
  const shown = list.map((item, index) => ({ ...item, index })).filter(({ hidden }) => !hidden)
  const wanted = active ?? list.findIndex((item) => item.active)
  const chosen = shown.some(({ index }) => index === wanted) ? wanted : (shown[0]?.index ?? false)
  const grouped = type === 'group'

  return (
    <Tabs
      value={chosen}
      onChange={(_, index: number) => onChange(index)}
      aria-label={label}
      selectionFollowsFocus
      variant={grouped ? 'fullWidth' : 'scrollable'}
      scrollButtons={false}
      className={cx(styles[type], className)}
      slotProps={grouped ? { indicator: { hidden: true } } : {}}
    >
      {shown.map(({ index, title, count }) => (
        <Tab
          key={index}
          value={index}
          aria-controls={panelId}
          label={
            <>
              {title}
              {count !== undefined && count > 0 && <span className={styles.count}>{count}</span>}
            </>
          }
        />
      ))}
    </Tabs>
  )
}

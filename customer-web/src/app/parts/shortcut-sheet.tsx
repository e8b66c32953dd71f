import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { Sheet } from '@/ui/sheet/sheet'
import styles from './shortcut-sheet.module.css'

export type ShortcutSheetProps = { open: boolean; onClose: () => void }

/** Keys that do the same, by action. */
const shortcuts = [
  { action: 'search', keys: ['/', 'Ctrl K'] },
  { action: 'buy', keys: ['B'] },
  { action: 'sell', keys: ['S'] },
  { action: 'send', keys: ['Enter'] },
  { action: 'volume', keys: ['+', '−'] },
  { action: 'period', keys: ['[', ']'] },
  { action: 'list', keys: ['?'] },
] as const

/** The keyboard shortcuts. */
export function ShortcutSheet({ open, onClose }: ShortcutSheetProps) {
  const { t } = useTranslation()
  return (
    <Sheet open={open} title={t('shortcuts.title')} onClose={onClose}>
      <dl className={styles.list}>
        {shortcuts.map(({ action, keys }) => (
          <Fragment key={action}>
            <dt>{t(`shortcuts.${action}`)}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key} className={styles.key}>
                  {key}
                </kbd>
              ))}
            </dd>
          </Fragment>
        ))}
      </dl>
    </Sheet>
  )
}

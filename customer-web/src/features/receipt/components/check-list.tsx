import { useTranslation } from 'react-i18next'
import { Disclosure } from '@/ui/disclosure'
import { Icon } from '@/ui/icons/icon'
import { TimeText } from '@/ui/time-text'
import type { Check } from '../model/verify'
import styles from './receipt.module.css'

export type CheckListProps = {
  checks: readonly Check[]
  checkedAt: number
  /** Whether the list is open at first. */
  open: boolean
}

const icons = { passed: 'check', failed: 'warn', unknown: 'info' } as const

/** Every check, one per line. */
export function CheckList({ checks, checkedAt, open }: CheckListProps) {
  const { t } = useTranslation()
  return (
    <Disclosure
      key={String(open)}
      className={styles.more}
      panelClassName={styles.checks}
      startsOpen={open}
      head={
        <>
          <span>{t('receipt.checks', { count: checks.length })}</span>
          <span className={styles.aside}>
            {t('receipt.verdict.checked_at')} <TimeText at={checkedAt} shape="timeSeconds" />
          </span>
        </>
      }
    >
      <ul>
        {checks.map(({ name, symbol = '', outcome }) => (
          <li key={`${name} ${symbol}`} className={styles[outcome]}>
            <Icon name={icons[outcome]} label={t(`receipt.check.${outcome}`)} />
            {t(`receipt.check.${name}`, { symbol })}
          </li>
        ))}
      </ul>
    </Disclosure>
  )
}

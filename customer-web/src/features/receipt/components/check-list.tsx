import { useTranslation } from 'react-i18next'
import { Icon } from '@/ui/icons/icon'
import { TimeText } from '@/ui/time-text'
import type { Check } from '../model/verify'
import styles from './receipt.module.css'

export type CheckListProps = {
  checks: readonly Check[]
  checkedAt: number
  open: boolean
}

const icons = { passed: 'check', failed: 'warn', unknown: 'info' } as const

/** Every check, one per line. */
export function CheckList({ checks, checkedAt, open }: CheckListProps) {
  const { t } = useTranslation()
  return (
    <details className={styles.checks} open={open}>
      <summary>
        <span>{t('receipt.checks', { count: checks.length })}</span>
        <span className={styles.aside}>
          {t('receipt.verdict.checked_at')} <TimeText at={checkedAt} shape="timeSeconds" />
        </span>
      </summary>
      <ul>
        {checks.map(({ name, symbol = '', outcome }) => (
          <li key={`${name} ${symbol}`} className={styles[outcome]}>
            <Icon name={icons[outcome]} label={t(`receipt.check.${outcome}`)} />
            {t(`receipt.check.${name}`, { symbol })}
          </li>
        ))}
      </ul>
    </details>
  )
}

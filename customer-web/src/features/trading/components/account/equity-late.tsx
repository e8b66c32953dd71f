import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fetchAccount } from '@/live/live'
import { Button } from '@/ui/button'
import styles from './equity-card.module.css'

/** Shown when the account's figures don't arrive, with a retry button. */
export function EquityLate() {
  const { t } = useTranslation()
  const [asking, setAsking] = useState(false)
  const ask = async () => {
    setAsking(true)
    await fetchAccount()
    setAsking(false)
  }
  return (
    <div className={styles.late} role="alert">
      <p>{t('home.equity.late')}</p>
      <Button size="small" busy={asking} onClick={() => void ask()}>
        {t('ui.retry')}
      </Button>
    </div>
  )
}

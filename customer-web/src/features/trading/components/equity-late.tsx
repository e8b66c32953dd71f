import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fetchAccount } from '@/live/live'
import { Button } from '@/ui/button'
import styles from './equity-card.module.css'

/** Says that the account's figures do not come, and asks for them again. */
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

import { useTranslation } from 'react-i18next'
import styles from './crypto-deposit.module.css'

/** An address in groups of four with bold ends, which traders compare first. */
export function AddressText({ address }: { address: string }) {
  const { t } = useTranslation()
  const groups = address.match(/.{1,4}/g) ?? []
  return (
    <div className={styles.address}>
      <span className={styles.label}>{t('deposit.coins.address')}</span>
      <bdi dir="ltr" className={styles.groups}>
        <b>{groups[0]}</b> {groups.slice(1, -2).join(' ')}{' '}
        <b>{groups.slice(1).slice(-2).join(' ')}</b>
      </bdi>
    </div>
  )
}

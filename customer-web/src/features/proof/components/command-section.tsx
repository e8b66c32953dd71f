import { useTranslation } from 'react-i18next'
import styles from './proof.module.css'

/** What the program does with a receipt file, for those who trust no page either. */
export function CommandSection() {
  const { t } = useTranslation()
  return (
    <section className={styles.block}>
      <h2>{t('proof.command.title')}</h2>
      <p className={styles.text}>{t('proof.command.text')}</p>
      <pre className={styles.command}>
        <code>candor verify-receipt FILE --key PUBLICKEY</code>
      </pre>
      <p className={styles.text}>{t('proof.command.end')}</p>
    </section>
  )
}

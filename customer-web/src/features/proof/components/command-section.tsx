import { useTranslation } from 'react-i18next'
import styles from './proof.module.css'

/** Shows how to check a receipt file with the command-line program, without trusting this page. */
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

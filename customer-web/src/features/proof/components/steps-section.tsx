import { useTranslation } from 'react-i18next'
import { Num } from '@/ui/num'
import styles from './proof.module.css'

const steps = ['recorded', 'sealed', 'deals', 'receipt'] as const

/** Explains in plain words how a price and the fill made at it can be proved. */
export function StepsSection() {
  const { t } = useTranslation()
  return (
    <section className={styles.block}>
      <h2>{t('proof.how.title')}</h2>
      <ol className={styles.steps}>
        {steps.map((step, index) => (
          <li key={step}>
            <Num className={styles.number}>{index + 1}</Num>
            <div>
              <h3>{t(`proof.how.${step}.title`)}</h3>
              <p>{t(`proof.how.${step}.text`)}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}

import Switch from '@mui/material/Switch'
import { useTranslation } from 'react-i18next'
import { FailureNote } from '@/ui/failure-note'
import { type PersonalInfo, updatePersonalInfo, usePersonalChange } from '../api/personal'
import styles from './personal.module.css'

/** The consent to offers, which nobody has given until they switch it on. */
export function MarketingCard({ info }: { info: PersonalInfo }) {
  const { t } = useTranslation()
  const change = usePersonalChange(updatePersonalInfo)
  const shown = change.isPending ? change.variables.marketing : info.marketing
  return (
    <section className={styles.card}>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the switch is the control */}
      <label className={styles.switch}>
        <span>
          <span className={styles.title}>{t('personal.marketing')}</span>
          <span className={styles.text}>{t('personal.marketing.about')}</span>
        </span>
        <Switch
          checked={shown}
          onChange={(_, marketing) => change.mutate({ nickname: info.nickname, marketing })}
        />
      </label>
      {change.error && <FailureNote error={change.error} />}
    </section>
  )
}

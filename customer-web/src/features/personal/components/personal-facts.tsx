import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { countryName } from '@/format/country-name'
import { withDots } from '@/storage/mask-name'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/icons/icon'
import { Num } from '@/ui/num'
import { TimeText } from '@/ui/time-text'
import type { PersonalInfo } from '../api/personal'
import styles from './personal.module.css'

export type PersonalFactsProps = {
  info: PersonalInfo
  language: string
  /** The time zone of the app's times. */
  zone: string
  phoneOffered: boolean
}

/** What is known of the trader, and where each fact is changed. */
export function PersonalFacts({ info, language, zone, phoneOffered }: PersonalFactsProps) {
  const { t } = useTranslation()
  const unset = t('security.contact.unset')
  return (
    <ul className={styles.list}>
      <Fact label={t('personal.account')} value={<Num>{String(info.userId)}</Num>} />
      <Fact
        label={t('personal.name')}
        value={info.name || t('personal.name.unverified')}
        to={info.name ? undefined : '/authenticate'}
      />
      <Fact
        label={t('session.mail')}
        value={info.mail ? <Num>{withDots(info.mail)}</Num> : unset}
        to="/bindContact?kind=mail"
        act={t('personal.change')}
      />
      {(phoneOffered || info.phone) && (
        <Fact
          label={t('session.phone')}
          value={info.phone ? <Num>{withDots(info.phone)}</Num> : unset}
          to="/bindContact?kind=phone"
          act={t('personal.change')}
        />
      )}
      <Fact label={t('personal.country')} value={countryName(info.country, language)} />
      <Fact
        label={t('personal.zone')}
        value={<bdi dir="ltr">{zone}</bdi>}
        to="/preferenceSet"
        act={t('personal.change')}
      />
      <Fact label={t('personal.since')} value={<TimeText at={info.createdAt} />} />
    </ul>
  )
}

type FactProps = {
  label: string
  value: ReactNode
  to?: string | undefined
  act?: string
}

function Fact({ label, value, to, act }: FactProps) {
  const words = (
    <>
      <span className={styles.label}>{label}</span>
      <span className={styles.value}>{value}</span>
    </>
  )
  if (!to)
    return (
      <li>
        <div className={styles.row}>{words}</div>
      </li>
    )
  return (
    <li>
      <Link to={to} className={cx(styles.row, styles.link)}>
        {words}
        {act && <span className={styles.act}>{act}</span>}
        <Icon name="forward" />
      </Link>
    </li>
  )
}

import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import styles from '@/ui/block.module.css'
import { Icon } from '@/ui/icons/icon'
import { Note } from '@/ui/note'
import type { Identity } from '../api/identity'
import { type Step, stepBefore, stepsOf } from '../model/steps'
import { CountryStep } from './country-step'
import { DataStep } from './data-step'
import { IdentitySteps } from './identity-steps'
import { PictureStep } from './picture-step'
import { ReviewStep } from './review-step'
import { TypeStep } from './type-step'

export type ApplicationFormProps = {
  identity: Identity
  now: Step
  pathOf: (step: Step) => string
  /** A step is saved; receives the new application. */
  onDone: (identity: Identity) => void
}

/** The application form, step by step. */
export function ApplicationForm({ identity, now, pathOf, onDone }: ApplicationFormProps) {
  const { t } = useTranslation()
  const steps = stepsOf(identity)
  const before = stepBefore(identity, now)
  const asked = identity.asked.find(({ part }) => part === now)
  return (
    <>
      <section className={styles.block}>
        <IdentitySteps identity={identity} steps={steps} now={now} />
        {before && (
          <Link to={pathOf(before)} replace className={styles.link}>
            <Icon name="back" />
            {t('identity.back')}
          </Link>
        )}
        {asked && <Note tone="warning">{t(reasonKey(asked.reason))}</Note>}
      </section>
      <OneStep key={now} identity={identity} now={now} pathOf={pathOf} onDone={onDone} />
    </>
  )
}

/** The text key of a reason code. */
export function reasonKey(code: string): 'kyc.reason.not_accepted' {
  // The code comes from the server, so the types can't know it.
  return `kyc.reason.${code}` as 'kyc.reason.not_accepted'
}

function OneStep({ identity, now, pathOf, onDone }: ApplicationFormProps) {
  switch (now) {
    case 'country':
      return <CountryStep identity={identity} onDone={onDone} />
    case 'type':
      return <TypeStep identity={identity} onDone={onDone} />
    case 'data':
      return <DataStep identity={identity} onDone={onDone} />
    case 'review':
      return <ReviewStep identity={identity} pathOf={pathOf} />
    default:
      return <PictureStep identity={identity} side={now} onDone={onDone} />
  }
}

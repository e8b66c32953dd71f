import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isOutcomeUnknown } from '@/api/idempotent-mutation'
import { nameCountries } from '@/features/account/model/country-search'
import { formatDate } from '@/format/time'
import { useLanguage } from '@/i18n/use-language'
import styles from '@/ui/block.module.css'
import { Button } from '@/ui/button'
import { FailureNote } from '@/ui/failure-note'
import { Note } from '@/ui/note'
import { Num } from '@/ui/num'
import { useTimeStyle } from '@/ui/time-text'
import { toast } from '@/ui/toast/toast-store'
import {
  type Identity,
  refreshIdentity,
  type Side,
  useIdentityCountries,
  useSubmitIdentity,
} from '../api/identity'
import { pageName, type Step, stepsOf } from '../model/steps'
import own from './identity.module.css'
import { OwnPicture } from './own-picture'

export type ReviewStepProps = {
  identity: Identity
  /** The path where a step is changed. */
  pathOf: (step: Step) => string
}

/** The summary of the application and the submit button. */
export function ReviewStep({ identity, pathOf }: ReviewStepProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [checking, setChecking] = useState(false)
  const write = useSubmitIdentity(() => setChecking(true))
  const steps = stepsOf(identity)
  const sides = steps.filter((step): step is Side => ['front', 'back', 'selfie'].includes(step))

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (write.isPending) return
    write.mutate(
      { version: identity.version },
      {
        onSuccess: () => toast.success(t('identity.submit.done')),
        // It may have changed in another window.
        onError: (error) => {
          if (!isOutcomeUnknown(error)) void refreshIdentity(client)
        },
        onSettled: () => setChecking(false),
      },
    )
  }

  const change = (step: Step) => (
    <Button
      variant="text"
      size="small"
      to={pathOf(step)}
      aria-label={t('identity.change_of', { part: t(`identity.step.${pageName(identity, step)}`) })}
    >
      {t('identity.change')}
    </Button>
  )

  return (
    <form className={styles.form} onSubmit={submit}>
      <section className={styles.block}>
        <h2>{t('identity.review.title')}</h2>
        <p className={styles.text}>{t('identity.review.text')}</p>
      </section>
      {steps.includes('country') && (
        <section className={styles.block}>
          <div className={own.line}>
            <h2>{t('identity.document')}</h2>
            {change('country')}
          </div>
          <DocumentPairs identity={identity} />
        </section>
      )}
      {steps.includes('data') && (
        <section className={styles.block}>
          <div className={own.line}>
            <h2>{t('identity.part.data')}</h2>
            {change('data')}
          </div>
          <DataPairs identity={identity} />
        </section>
      )}
      {sides.map((side) => (
        <section key={side} className={styles.block}>
          <div className={own.line}>
            <h2>{t(`identity.part.${pageName(identity, side)}`)}</h2>
            {change(side)}
          </div>
          <OwnPicture identity={identity} side={side} />
        </section>
      ))}
      <div className={styles.actions}>
        {identity.attemptsLeft === 1 && <Note tone="warning">{t('identity.last_attempt')}</Note>}
        {write.error && <FailureNote error={write.error} />}
        <Button type="submit" variant="primary" size="large" block busy={write.isPending}>
          {checking
            ? t('deposit.checking')
            : t(write.isPending ? 'identity.submit.sending' : 'identity.submit')}
        </Button>
      </div>
    </form>
  )
}

function DocumentPairs({ identity }: { identity: Identity }) {
  const { t } = useTranslation()
  const { tag } = useLanguage()
  const { country, documentType } = identity
  const listed = useIdentityCountries().data?.filter((one) => one.country === country) ?? []
  return (
    <dl className={styles.pairs}>
      <div>
        <dt>{t('identity.country.label')}</dt>
        <dd>{nameCountries(listed, tag)[0]?.name ?? country}</dd>
      </div>
      {documentType && (
        <div>
          <dt>{t('identity.type.label')}</dt>
          <dd>{t(`identity.type.${documentType}.name`)}</dd>
        </div>
      )}
    </dl>
  )
}

function DataPairs({ identity }: { identity: Identity }) {
  const { t } = useTranslation()
  // A document date is the same in every time zone.
  const style = { ...useTimeStyle(), timeZone: 'utc' } as const
  const { fullName, number, birthDate, expiryDate } = identity
  const day = (text = '') => formatDate(Date.parse(`${text}T00:00:00Z`), style)
  return (
    <dl className={styles.pairs}>
      <div>
        <dt>{t('identity.data.full_name')}</dt>
        <dd>
          <bdi>{fullName}</bdi>
        </dd>
      </div>
      <div>
        <dt>{t('identity.data.number')}</dt>
        <dd>
          <Num>{number}</Num>
        </dd>
      </div>
      <div>
        <dt>{t('identity.data.birth_date')}</dt>
        <dd>{day(birthDate)}</dd>
      </div>
      <div>
        <dt>{t('identity.data.expiry_date')}</dt>
        <dd>{day(expiryDate)}</dd>
      </div>
    </dl>
  )
}

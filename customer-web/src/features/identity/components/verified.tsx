import { useTranslation } from 'react-i18next'
import { useChannels } from '@/features/deposit/api/channels'
import { useCurrencies } from '@/features/deposit/api/limits'
import { limitsOf } from '@/features/deposit/model/limits'
import { useWithdrawalTerms } from '@/features/withdraw/api/withdrawals'
import { formatAmount } from '@/format/amount'
import { bidiIsolate } from '@/format/bidi-isolate'
import styles from '@/ui/block.module.css'
import { Button } from '@/ui/button'
import { Note } from '@/ui/note'
import { Num } from '@/ui/num'
import { StatusHead } from '@/ui/status-head'
import statusStyles from '@/ui/status-head.module.css'
import { TimeText } from '@/ui/time-text'
import { type Identity, isUndecided } from '../api/identity'
import type { Step } from '../model/steps'

export type VerifiedProps = {
  identity: Identity
  pathOf: (step: Step) => string
  paths: {
    deposit?: string | undefined
    withdraw?: string | undefined
    process: string
    failed: string
  }
}

/** The identity is verified: the level, its limits, and links to use them. */
export function Verified({ identity, pathOf, paths }: VerifiedProps) {
  const { t } = useTranslation()
  const { level, fullName, decidedAt } = identity
  return (
    <>
      <section className={styles.block}>
        <StatusHead tone="success" icon="check" title={t('identity.verified.title')}>
          {t('identity.verified.level', { level: bidiIsolate(String(level)) })}
        </StatusHead>
        <dl className={styles.pairs}>
          {fullName && (
            <div>
              <dt>{t('identity.data.full_name')}</dt>
              <dd>
                <bdi>{fullName}</bdi>
              </dd>
            </div>
          )}
          {decidedAt !== undefined && (
            <div>
              <dt>{t('identity.fact.decided')}</dt>
              <dd>
                <TimeText at={decidedAt} />
              </dd>
            </div>
          )}
        </dl>
        <Renewal identity={identity} pathOf={pathOf} paths={paths} />
      </section>
      <section className={styles.block}>
        <h2>{t('identity.limits.title')}</h2>
        <Limits withdrawals={paths.withdraw !== undefined} />
        <div className={statusStyles.buttons}>
          {paths.deposit && (
            <Button variant="primary" to={paths.deposit}>
              {t('me.menu.deposit')}
            </Button>
          )}
          {paths.withdraw && <Button to={paths.withdraw}>{t('me.menu.withdraw')}</Button>}
        </div>
      </section>
    </>
  )
}

function Limits({ withdrawals }: { withdrawals: boolean }) {
  const { t } = useTranslation()
  const currencies = useCurrencies().data
  const channels = useChannels().data ?? []
  const config = currencies?.find(({ currencyMedium }) => currencyMedium === 'usdt_usdt')
  return (
    <dl className={styles.pairs}>
      <div>
        <dt>{t('identity.limits.total')}</dt>
        <dd>{t('identity.limits.none')}</dd>
      </div>
      {channels.map((channel) => {
        const { min, max } = limitsOf(channel, currencies)
        return (
          <div key={channel.channelId}>
            <dt>{channel.chainName ?? t(`deposit.channel.${channel.kind}`)}</dt>
            <dd>
              <Num>
                {formatAmount(min)} – {formatAmount(max)}
              </Num>{' '}
              {channel.currency}
            </dd>
          </div>
        )
      })}
      {withdrawals && config && (
        <div>
          <dt>{t('me.menu.withdraw')}</dt>
          <dd>
            <Num>
              {formatAmount(config.withdrawMin)} – {formatAmount(config.withdrawMax)}
            </Num>{' '}
            USDT
          </dd>
        </div>
      )}
      {withdrawals && <WithdrawalLimits />}
    </dl>
  )
}

/** The withdrawal limits of this level for 24 hours and 30 days, and what is left of them. */
function WithdrawalLimits() {
  const { t } = useTranslation()
  const terms = useWithdrawalTerms().data
  if (!terms?.verified) return null
  const { currency, dayLimit, dayLeft, monthLimit, monthLeft } = terms
  const row = (name: string, limit: string, left: string) => (
    <div>
      <dt>{name}</dt>
      <dd>
        <Num>{formatAmount(limit)}</Num> {currency}
        {left !== limit && (
          <span className={styles.small}>
            {' '}
            {t('identity.limits.left', { left: bidiIsolate(formatAmount(left)) })}
          </span>
        )}
      </dd>
    </div>
  )
  return (
    <>
      {row(t('identity.limits.day'), dayLimit, dayLeft)}
      {row(t('identity.limits.month'), monthLimit, monthLeft)}
    </>
  )
}

/** Renews a document that expires soon, or shows the renewal in progress. */
function Renewal({ identity, pathOf, paths }: VerifiedProps) {
  const { t } = useTranslation()
  if (isUndecided(identity)) {
    return (
      <Note>
        {t('identity.renewal.under_review')}{' '}
        <Button variant="text" size="small" to={paths.process}>
          {t('identity.renewal.look')}
        </Button>
      </Note>
    )
  }
  switch (identity.state) {
    case 'expiring':
      return (
        <Note tone="warning">
          {t('identity.renewal.expiring')}{' '}
          <Button variant="text" size="small" to={pathOf('country')}>
            {t('identity.renewal.begin')}
          </Button>
        </Note>
      )
    case 'draft':
      return (
        <Note>
          {t('identity.renewal.draft')}{' '}
          <Button variant="text" size="small" to={pathOf('review')}>
            {t('identity.continue')}
          </Button>
        </Note>
      )
    case 'resubmission_required':
      return (
        <Note tone="warning">
          {t('identity.sent_back.title')}{' '}
          <Button variant="text" size="small" to={paths.failed}>
            {t('identity.renewal.look')}
          </Button>
        </Note>
      )
    default:
      return null
  }
}

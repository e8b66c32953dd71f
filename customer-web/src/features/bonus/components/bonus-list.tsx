import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatFixed } from '@/format/amount'
import { Button } from '@/ui/button'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { FailureNote } from '@/ui/failure-note'
import { Num } from '@/ui/num'
import { Tag } from '@/ui/tag'
import { TimeText } from '@/ui/time-text'
import { toast } from '@/ui/toast/toast-store'
import { type Bonus, useDeclineBonus } from '../api/bonus'
import styles from './bonus.module.css'
import { useBonusWords } from './bonus-terms'
import { DeclineBonusDialog } from './decline-bonus-dialog'

export type BonusRowsProps = {
  bonuses: readonly Bonus[]
  depositPath: string
  /** They belong to another account: nothing can be done with them here. */
  readOnly: boolean
}

/** The bonuses that the trader has accepted, and those that ended, newest first. */
export function BonusRows({ bonuses, depositPath, readOnly }: BonusRowsProps) {
  const { t } = useTranslation()
  const [leaving, setLeaving] = useState<Bonus | null>(null)
  const [declined, setDeclined] = useState<Bonus | null>(null)
  const own = bonuses.filter(({ state }) => state !== 'offered')
  if (own.length === 0) return null
  return (
    <section className={styles.block} aria-labelledby="bonus-own">
      <h2 id="bonus-own" className={styles.head}>
        {t('bonus.own')}
      </h2>
      <ul className={styles.list}>
        {own.map((bonus) => (
          <BonusRow
            key={bonus.bonusId}
            bonus={bonus}
            depositPath={depositPath}
            readOnly={readOnly}
            onGiveUp={() => setLeaving(bonus)}
            onDecline={() => setDeclined(bonus)}
          />
        ))}
      </ul>
      {declined && <DeclineBonusDialog bonus={declined} onClose={() => setDeclined(null)} />}
      {leaving && <GiveUpDialog bonus={leaving} onClose={() => setLeaving(null)} />}
    </section>
  )
}

const toneOf = (state: Bonus['state']) =>
  state === 'active' ? 'success' : state === 'accepted' ? 'info' : 'neutral'

function BonusRow({
  bonus,
  depositPath,
  readOnly,
  onGiveUp,
  onDecline,
}: {
  bonus: Bonus
  depositPath: string
  readOnly: boolean
  onGiveUp: () => void
  onDecline: () => void
}) {
  const { t } = useTranslation()
  const words = useBonusWords(bonus)
  const { state, rule, remaining, lost, grantedAt, expiresAt, endedAt } = bonus
  const name = rule === 'deposit' && grantedAt !== undefined ? 'deposit_granted' : rule
  return (
    <li>
      <div className={styles.words}>
        <span className={styles.name}>
          {t(`bonus.name.${name}`, words)}{' '}
          <Tag tone={toneOf(state)}>{t(`bonus.state.${state}`)}</Tag>
        </span>
        {state === 'accepted' && <span className={styles.about}>{t('bonus.waits', words)}</span>}
        {state === 'active' && (
          <dl className={styles.sums}>
            <Sum label={t('bonus.remaining')} value={remaining} />
            <Sum label={t('bonus.lost')} value={lost} />
            {expiresAt !== undefined && (
              <div>
                <dt>{t('bonus.expires')}</dt>
                <dd>
                  <TimeText at={expiresAt} />
                </dd>
              </div>
            )}
          </dl>
        )}
        {endedAt !== undefined && (
          <span className={styles.about}>
            <TimeText at={endedAt} />
          </span>
        )}
      </div>
      <div className={styles.actions}>
        {!readOnly && state === 'accepted' && (
          <>
            <Button onClick={onDecline}>{t('bonus.decline')}</Button>
            <Button variant="primary" to={depositPath}>
              {t('bonus.deposit')}
            </Button>
          </>
        )}
        {!readOnly && state === 'active' && (
          <Button onClick={onGiveUp}>{t('bonus.give_up')}</Button>
        )}
      </div>
    </li>
  )
}

function Sum({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <Num>{formatFixed(value, 2)}</Num> <small>USDT</small>
      </dd>
    </div>
  )
}

function GiveUpDialog({ bonus, onClose }: { bonus: Bonus; onClose: () => void }) {
  const { t } = useTranslation()
  const decline = useDeclineBonus()
  return (
    <ConfirmDialog
      open
      title={t('bonus.give_up.ask')}
      text={
        <>
          {t('bonus.give_up.text')}
          {decline.error && <FailureNote error={decline.error} />}
        </>
      }
      lines={[
        {
          label: t('bonus.remaining'),
          value: (
            <>
              <Num>{formatFixed(bonus.remaining, 2)}</Num> USDT
            </>
          ),
        },
      ]}
      safeLabel={t('bonus.keep')}
      confirmLabel={t('bonus.give_up')}
      danger
      busy={decline.isPending}
      onConfirm={() =>
        decline.mutate(
          { bonusId: bonus.bonusId, state: 'active' },
          {
            onSuccess: () => {
              toast.success(t('bonus.given_up'))
              onClose()
            },
          },
        )
      }
      onClose={onClose}
    />
  )
}

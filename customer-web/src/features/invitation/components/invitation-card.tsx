import { useTranslation } from 'react-i18next'
import { formatAmount } from '@/format/amount'
import { bidiIsolate } from '@/format/bidi-isolate'
import { CopyRow } from '@/ui/copy-row'
import { Note } from '@/ui/note'
import { Num } from '@/ui/num'
import type { Invitation } from '../api/invitation'
import styles from './invitation.module.css'

export type InvitationCardProps = {
  invitation: Invitation
  /** The address to register at with the trader's code. */
  link: string
}

/** The link and code, the terms, and what they have brought. */
export function InvitationCard({ invitation, link }: InvitationCardProps) {
  const { t } = useTranslation()
  const { enabled, code, rate, invited, active, earned, setAside, invitedBy, tiers } = invitation
  return (
    <section className={styles.block}>
      {enabled ? (
        <>
          <p className={styles.lead}>{t('invite.terms', { rate: bidiIsolate(`${rate} %`) })}</p>
          <dl className={styles.copies}>
            <CopyRow label={t('invite.link')} shown={link} code />
            <CopyRow label={t('invite.code')} shown={code} code />
          </dl>
        </>
      ) : (
        <Note>{t('invite.off')}</Note>
      )}
      <dl className={styles.facts}>
        <Fact label={t('invite.earned')}>
          <Num>{formatAmount(earned)} USDT</Num>
        </Fact>
        <Fact label={t('invite.set_aside')}>
          <Num>{formatAmount(setAside)} USDT</Num>
        </Fact>
        <Fact label={t('invite.invited')}>
          <Num>{invited}</Num>
        </Fact>
        <Fact label={t('invite.active')}>
          <Num>{active}</Num>
        </Fact>
      </dl>
      {tiers && (
        <ul className={styles.tiers}>
          {tiers.map((tier) => (
            <li key={tier.from}>
              {t('invite.tier', { count: tier.from, rate: bidiIsolate(`${tier.rate} %`) })}
            </li>
          ))}
        </ul>
      )}
      <p className={styles.small}>{t('invite.rules')}</p>
      {invitedBy && <p className={styles.small}>{t('invite.by')}</p>}
    </section>
  )
}

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

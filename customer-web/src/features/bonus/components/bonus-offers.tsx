import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { Note } from '@/ui/note'
import type { Bonus, BonusList } from '../api/bonus'
import { AcceptBonusSheet, type AcceptBonusSheetProps } from './accept-bonus-sheet'
import styles from './bonus.module.css'
import { BONUS_TERMS, type BonusFacts, useBonusWords } from './bonus-terms'
import { DeclineBonusDialog } from './decline-bonus-dialog'

/** What the trader may accept: campaigns, and bonuses for the trader alone. */
export function BonusOffers({
  list,
  identityPath,
  readOnly,
}: {
  list: BonusList
  /** They are for another account: nothing can be done with them here. */
  readOnly: boolean
  /** Where the identity is verified. */
  identityPath: string
}) {
  const { t } = useTranslation()
  const [asked, setAsked] = useState<Omit<AcceptBonusSheetProps, 'onClose'> | null>(null)
  const [declined, setDeclined] = useState<Bonus | null>(null)
  const gifts = list.bonuses.filter(({ state }) => state === 'offered')
  if (list.offers.length + gifts.length === 0) return null
  const outdated = list.terms !== BONUS_TERMS
  const mayAccept = !readOnly && list.enabled && list.verified && !outdated
  const accept = (offer: Omit<AcceptBonusSheetProps, 'onClose'>) =>
    mayAccept && (
      <Button variant="primary" onClick={() => setAsked(offer)}>
        {t('bonus.read')}
      </Button>
    )
  return (
    <section className={styles.block} aria-labelledby="bonus-offers">
      <h2 id="bonus-offers" className={styles.head}>
        {t('bonus.offers')}
      </h2>
      {!list.enabled && <Note>{t('bonus.off')}</Note>}
      {outdated && <Note tone="warning">{t('error.bonus.terms')}</Note>}
      {list.enabled && !list.verified && (
        <div className={styles.first}>
          <Note>{t('bonus.verify')}</Note>
          <Button to={identityPath}>{t('bonus.verify.go')}</Button>
        </div>
      )}
      <ul className={styles.list}>
        {gifts.map((bonus) => (
          <Offer key={bonus.bonusId} bonus={bonus}>
            {!readOnly && <Button onClick={() => setDeclined(bonus)}>{t('bonus.decline')}</Button>}
            {accept({ bonus, id: { bonusId: bonus.bonusId } })}
          </Offer>
        ))}
        {list.offers.map((bonus) => (
          <Offer key={bonus.campaignId} bonus={bonus}>
            {accept({ bonus, id: { campaignId: bonus.campaignId } })}
          </Offer>
        ))}
      </ul>
      {asked && <AcceptBonusSheet {...asked} onClose={() => setAsked(null)} />}
      {declined && <DeclineBonusDialog bonus={declined} onClose={() => setDeclined(null)} />}
    </section>
  )
}

function Offer({ bonus, children }: { bonus: BonusFacts; children: ReactNode }) {
  const { t } = useTranslation()
  const words = useBonusWords(bonus)
  return (
    <li>
      <div className={styles.words}>
        <span className={styles.name}>{t(`bonus.name.${bonus.rule}`, words)}</span>
        <span className={styles.about}>{t(`bonus.offer.${bonus.rule}`, words)}</span>
      </div>
      <div className={styles.actions}>{children}</div>
    </li>
  )
}

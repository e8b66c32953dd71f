import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Icon } from '@/ui/icons/icon'
import { Num } from '@/ui/num'
import { type Card, cardNumber } from '../model/cards'
import { CardIcon } from './card-icon'
import styles from './chat.module.css'

export type CardLinkProps = { card: Card; pathOf: (card: Card) => string | undefined }

/** A shared order, deposit or withdrawal: kind and number, with a link to its page. */
export function CardLink({ card, pathOf }: CardLinkProps) {
  const { t } = useTranslation()
  const path = pathOf(card)
  const inside = (
    <>
      <CardIcon kind={card.kind} />
      <span>
        {t(`kefu.card.${card.kind}`)} <Num>{cardNumber(card)}</Num>
      </span>
      {path && <Icon name="forward" />}
    </>
  )
  return path ? (
    <Link to={path} className={styles.card}>
      {inside}
    </Link>
  ) : (
    <span className={styles.card}>{inside}</span>
  )
}

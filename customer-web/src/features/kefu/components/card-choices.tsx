import ButtonBase from '@mui/material/ButtonBase'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import { useRecentDeposits } from '@/features/deposit/api/deposits'
import { useProducts } from '@/features/market/api/products'
import { useRecentWithdrawals } from '@/features/withdraw/api/withdrawals'
import { formatAmount } from '@/format/amount'
import { formatLots } from '@/format/lots'
import { EmptyState } from '@/ui/empty-state'
import { ErrorBlock } from '@/ui/error-block'
import { Num } from '@/ui/num'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { TimeText } from '@/ui/time-text'
import type { CardKind } from '../api/kefu'
import { useRecentOrders } from '../api/recent-orders'
import { type Card, cardNumber } from '../model/cards'
import styles from './chat.module.css'

type Choose = { onChoose: (card: Card) => void }
export type CardChoicesProps = Choose & { kind: CardKind }

/** The newest items of a kind, to pick one. */
export default function CardChoices({ kind, onChoose }: CardChoicesProps) {
  if (kind === 'order') return <Orders onChoose={onChoose} />
  return kind === 'deposit' ? <Deposits onChoose={onChoose} /> : <Withdrawals onChoose={onChoose} />
}

type Line = { card: Card; what: ReactNode; at: number }

function Orders({ onChoose }: Choose) {
  const { t } = useTranslation()
  const { data: products } = useProducts()
  const { data, ...answer } = useRecentOrders()
  const lines = data?.map(({ orderId, productId, side, lots, at }) => {
    const product = products?.find((one) => one.productId === productId)
    return {
      card: { kind: 'order' as const, id: orderId },
      at,
      what: (
        <>
          {t(`trade.${side}`)} {product?.productNo} <Num>{formatLots(product, lots)}</Num>
        </>
      ),
    }
  })
  return <Lines kind="order" lines={lines} answer={answer} onChoose={onChoose} />
}

function Deposits({ onChoose }: Choose) {
  const { data, ...answer } = useRecentDeposits()
  const lines = data?.list.map(({ rechargeId, amount, currency, createdAt }) => ({
    card: { kind: 'deposit' as const, id: rechargeId },
    at: createdAt,
    what: (
      <>
        <Num>{formatAmount(amount)}</Num> {currency}
      </>
    ),
  }))
  return <Lines kind="deposit" lines={lines} answer={answer} onChoose={onChoose} />
}

function Withdrawals({ onChoose }: Choose) {
  const { data, ...answer } = useRecentWithdrawals()
  const lines = data?.list.map(({ withdrawId, amount, currency, createdAt }) => ({
    card: { kind: 'withdrawal' as const, id: withdrawId },
    at: createdAt,
    what: (
      <>
        <Num>{formatAmount(amount)}</Num> {currency}
      </>
    ),
  }))
  return <Lines kind="withdrawal" lines={lines} answer={answer} onChoose={onChoose} />
}

type LinesProps = Choose & {
  kind: CardKind
  lines: readonly Line[] | undefined
  answer: { error: unknown; isFetching: boolean; refetch: () => unknown }
}

function Lines({ kind, lines, answer, onChoose }: LinesProps) {
  const { t } = useTranslation()
  if (!lines)
    return answer.error ? (
      <ErrorBlock
        {...reasonOf(answer.error)}
        onRetry={() => void answer.refetch()}
        retrying={answer.isFetching}
      />
    ) : (
      <SkeletonRows rows={4} />
    )
  if (lines.length === 0) return <EmptyState text={t(`kefu.none.${kind}`)} />
  return (
    <ul className={styles.choices}>
      {lines.map(({ card, what, at }) => (
        <li key={card.id}>
          <ButtonBase className={styles.choice} onClick={() => onChoose(card)}>
            <span className={styles.what}>{what}</span>
            <Num>{cardNumber(card)}</Num>
            <span className={styles.when}>
              <TimeText at={at} />
            </span>
          </ButtonBase>
        </li>
      ))}
    </ul>
  )
}

import { useTranslation } from 'react-i18next'
import { formatFixed } from '@/format/amount'
import { bidiIsolate } from '@/format/bidi-isolate'
import { riskReward } from '../../model/protection-unit'
import styles from './order-ticket.module.css'

export type RiskRewardProps = {
  /** The profit at the stop loss and at the take profit; null unless it is set and known. */
  loss: string | null
  gain: string | null
}

/** What is risked for what, once both are set; renders nothing before. */
export function RiskReward({ loss, gain }: RiskRewardProps) {
  const { t } = useTranslation()
  const both = riskReward(loss, gain)
  if (!both) return null
  return (
    <p className={styles.caption}>
      {t('trade.risk_reward', {
        risk: bidiIsolate(formatFixed(both.risk, 2)),
        reward: bidiIsolate(formatFixed(both.reward, 2)),
        ratio: bidiIsolate(`1 : ${both.ratio}`),
      })}
    </p>
  )
}

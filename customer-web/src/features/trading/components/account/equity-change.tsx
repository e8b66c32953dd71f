import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import { directionOf, formatSigned, formatSignedPercent } from '@/format/amount'
import { Num } from '@/ui/num'
import { Triangle } from '@/ui/triangle'
import { floatingPercent } from '../../model/statistics'
import styles from './equity-card.module.css'

export type EquityChangeProps = { statistics: Wire['Statistics']; hidden: boolean }

/** The floating profit or loss as an amount and in percent. */
export function EquityChange({ statistics, hidden }: EquityChangeProps) {
  const { t } = useTranslation()
  const { totalProfit } = statistics
  const direction = directionOf(totalProfit, 2)
  const percent = floatingPercent(statistics)
  return (
    <>
      {hidden ? (
        <Num>••••</Num>
      ) : (
        <Num className={direction}>
          {direction !== 'flat' && <Triangle direction={direction} />}
          {formatSigned(totalProfit)}
          {percent !== null && ` (${formatSignedPercent(percent)})`}
        </Num>
      )}{' '}
      <span className={styles.word}>{t('figure.open_profit')}</span>
    </>
  )
}

import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import { formatAmount, formatFixed } from '@/format/amount'
import { NO_VALUE } from '@/format/decimal'
import { displayCurrencies } from '@/storage/entries'
import { setPreferences, usePreferences } from '@/theme/preferences'
import { SelectField } from '@/ui/form/select-field'
import { scaleOf } from '../model/currencies'
import { totalIn } from '../model/total'
import { MoneyText } from './money-text'
import styles from './total-in.module.css'

export type TotalInProps = {
  /** USDT. */
  total: string
  totals: readonly Wire['WalletTotal'][]
  /** False if something has no price and is not counted. */
  complete: boolean
}

/** The total in a currency chosen by the trader. */
export function TotalIn({ total, totals, complete }: TotalInProps) {
  const { t } = useTranslation()
  const currency = usePreferences((state) => state.displayCurrency)
  const sum = totalIn(currency, total, totals)
  const text =
    sum === null
      ? NO_VALUE
      : currency === 'USD'
        ? formatFixed(sum, 2)
        : formatAmount(sum, scaleOf(currency))
  return (
    <div className={styles.line}>
      <span>
        ≈ <MoneyText>{text}</MoneyText>
      </span>
      <SelectField
        label={t('wallet.display_currency')}
        bare
        className={styles.select}
        value={currency}
        options={displayCurrencies.map((one) => ({ value: one, text: one }))}
        onPick={(next) => setPreferences({ displayCurrency: next })}
      />
      {!complete && <small>{t('wallet.incomplete')}</small>}
    </div>
  )
}

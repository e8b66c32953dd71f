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
  /** USDT; undefined until known, as is the wallet. */
  total: string | undefined
  wallet: Pick<Wire['Wallet'], 'totals' | 'complete'> | undefined
}

/** The total in a currency chosen by the trader. */
export function TotalIn({ total, wallet }: TotalInProps) {
  const { t } = useTranslation()
  const currency = usePreferences((state) => state.displayCurrency)
  if (total === undefined || !wallet) return <div className={styles.line} aria-busy />
  const sum = totalIn(currency, total, wallet.totals)
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
      {!wallet.complete && <small>{t('wallet.incomplete')}</small>}
    </div>
  )
}

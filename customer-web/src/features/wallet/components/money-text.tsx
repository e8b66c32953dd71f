import { useTranslation } from 'react-i18next'
import { HIDDEN_AMOUNT, useBalanceHidden } from '@/storage/balance-hidden'
import { Num } from '@/ui/num'

export type MoneyTextProps = {
  /** The amount when it is not hidden. */
  children: string
  className?: string | undefined
}

/** An amount, or dots while amounts are hidden. */
export function MoneyText({ children, className }: MoneyTextProps) {
  const { t } = useTranslation()
  const hidden = useBalanceHidden((state) => state.hidden)
  if (!hidden) return <Num className={className}>{children}</Num>
  return (
    <>
      <span aria-hidden>{HIDDEN_AMOUNT}</span>
      <span className="visually-hidden">{t('wallet.hidden')}</span>
    </>
  )
}

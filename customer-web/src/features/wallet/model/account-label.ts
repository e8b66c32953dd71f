import type { TFunction } from 'i18next'
import type { Wire } from '@/api/client'

type Account = Pick<Wire['WalletAccount'], 'kind' | 'number' | 'name'>

/** What an account of the wallet is called: the trader's own name, or its kind, with the number after the first. */
export function accountLabel(t: TFunction, { kind, number, name }: Account): string {
  if (name) return name
  return number > 1 ? t('wallet.account.numbered', { number }) : t(`wallet.account.${kind}`)
}

import type { TFunction } from 'i18next'

/** When coins are credited: after so many confirmations of their network, where it is known how many. */
export function creditedAfter(t: TFunction, confirmations: number | undefined): string {
  return confirmations === undefined
    ? t('deposit.channel.confirmed')
    : t('deposit.channel.confirmations', { count: confirmations })
}

import type { TFunction } from 'i18next'

/** What coins wait for before they are credited, as the value of a line. */
export function confirmationsText(t: TFunction, confirmations: number | undefined): string {
  return confirmations === undefined
    ? t('deposit.coins.confirmed')
    : t('deposit.coins.confirmations', { count: confirmations })
}

/** When coins are credited: after so many confirmations of their network, where it is known how many. */
export function creditedAfter(t: TFunction, confirmations: number | undefined): string {
  return confirmations === undefined
    ? t('deposit.channel.confirmed')
    : t('deposit.channel.confirmations', { count: confirmations })
}

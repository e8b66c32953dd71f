import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { formatAmount, formatPercent } from '@/format/amount'
import { Icon } from '@/ui/icons/icon'
import { Tag } from '@/ui/tag'
import type { Channel } from '../api/channels'
import { creditedAfter } from '../model/confirmations'
import { isolate } from '../model/isolate'
import { isNothing, type Limits } from '../model/limits'
import styles from './channel-picker.module.css'

export type ChannelPickerProps = {
  channels: readonly Channel[]
  limits: (channel: Channel) => Limits
  value: number
  onChange: (channelId: number) => void
}

/** The ways to pay in as cards, each with its currency, limits, fee and time. One that is closed is shown and can't be chosen. */
export function ChannelPicker({ channels, limits, value, onChange }: ChannelPickerProps) {
  const { t } = useTranslation()
  const name = useId()
  const time = ({ kind, minutes, hours, confirmations }: Channel) => {
    if (kind === 'standard') return creditedAfter(t, confirmations)
    return minutes < 120
      ? t('deposit.channel.minutes', { count: minutes })
      : t('deposit.channel.hours', { count: hours })
  }
  return (
    <fieldset className={styles.group}>
      <legend>{t('deposit.channel.title')}</legend>
      <div className={styles.cards}>
        {channels.map((channel) => {
          const { min, max } = limits(channel)
          const range = {
            min: isolate(formatAmount(min)),
            max: isolate(formatAmount(max)),
            currency: channel.currency,
          }
          return (
            <label key={channel.channelId} className={styles.card}>
              <input
                type="radio"
                name={name}
                checked={channel.channelId === value}
                disabled={channel.closed}
                onChange={() => onChange(channel.channelId)}
              />
              <Icon name="deposit" size={22} className={styles.icon} />
              <span className={styles.words}>
                <span className={styles.name}>
                  {t(`deposit.channel.${channel.kind}`)}
                  <span className={styles.currency}>{channel.currency}</span>
                  {channel.closed && <Tag tone="warning">{t('deposit.channel.closed')}</Tag>}
                </span>
                <span>{channel.bank || channel.name}</span>
                <span className={styles.facts}>
                  <span>{t('deposit.channel.range', range)}</span>
                  <span>
                    {isNothing(channel.feeRate)
                      ? t('deposit.channel.fee')
                      : t('deposit.channel.fee_rate', {
                          rate: isolate(formatPercent(channel.feeRate)),
                        })}
                  </span>
                  <span>{time(channel)}</span>
                </span>
              </span>
              <span className={styles.dot} aria-hidden />
            </label>
          )
        })}
      </div>
    </fieldset>
  )
}

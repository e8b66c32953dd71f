import FormControlLabel from '@mui/material/FormControlLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import { useTranslation } from 'react-i18next'
import { formatAmount, formatPercent } from '@/format/amount'
import { bidiIsolate } from '@/format/bidi-isolate'
import { ChoiceGroup } from '@/ui/choice-group'
import { cx } from '@/ui/cx'
import styles from '@/ui/form/card-choice.module.css'
import type { IconName } from '@/ui/icons/icon-shapes'
import { Tag } from '@/ui/tag'
import type { Channel } from '../api/channels'
import { kindsOf } from '../model/channels'
import { creditedAfter } from '../model/confirmations'
import { isZeroFee, type Limits } from '../model/limits'

export type ChannelPickerProps = {
  channels: readonly Channel[]
  limits: (channel: Channel) => Limits
  kind: Channel['kind']
  /** Undefined while every channel of the kind is closed. */
  chosen: Channel | undefined
  onKind: (kind: Channel['kind']) => void
  onChannel: (channelId: number) => void
}

const icons: Record<Channel['kind'], IconName> = {
  bank: 'wallet',
  third_party: 'device',
  otc: 'user',
  standard: 'swap',
}

/**
 * The deposit channel picker: first the kind, then the channel, with its limits and costs. Closed channels are
 * shown disabled.
 */
export function ChannelPicker({
  channels,
  limits,
  kind,
  chosen,
  onKind,
  onChannel,
}: ChannelPickerProps) {
  const { t } = useTranslation()
  const kinds = kindsOf(channels)
  const some = channels.filter((one) => one.kind === kind)
  return (
    <>
      <ChoiceGroup
        label={t('deposit.channel.title')}
        value={kind}
        onChange={onKind}
        columns={Math.min(2, kinds.length)}
        options={kinds.map((value) => ({
          value,
          label: t(`deposit.channel.${value}`),
          icon: icons[value],
        }))}
      />
      {(some.length > 1 || !chosen) && (
        <fieldset className={styles.which}>
          <legend>{t(`deposit.channel.${kind}.which`)}</legend>
          <RadioGroup
            className={styles.chips}
            value={chosen?.channelId ?? ''}
            onChange={(_, id) => onChannel(Number(id))}
          >
            {some.map((one) => (
              <FormControlLabel
                key={one.channelId}
                value={one.channelId}
                disabled={one.closed}
                disableTypography
                className={cx(styles.chip)}
                control={<Radio className={cx(styles.radio)} />}
                label={
                  <>
                    <bdi>{one.bank || one.name}</bdi>
                    {one.kind !== 'standard' && (
                      <span className={styles.currency}>{one.currency}</span>
                    )}
                    {one.closed && <Tag tone="warning">{t('deposit.channel.closed')}</Tag>}
                  </>
                }
              />
            ))}
          </RadioGroup>
        </fieldset>
      )}
      {chosen ? (
        <Facts channel={chosen} limits={limits(chosen)} alone={some.length === 1} />
      ) : (
        <p className={styles.facts}>{t('deposit.channel.all_closed')}</p>
      )}
    </>
  )
}

type FactsProps = { channel: Channel; limits: Limits; alone: boolean }

/** Limits, fee and duration of a channel, and its provider where nothing else names it. */
function Facts({ channel, limits: { min, max }, alone }: FactsProps) {
  const { t } = useTranslation()
  const { kind, minutes, hours, confirmations, feeRate } = channel
  const time = () => {
    if (kind === 'standard') return creditedAfter(t, confirmations)
    return minutes < 120
      ? t('deposit.channel.minutes', { count: minutes })
      : t('deposit.channel.hours', { count: hours })
  }
  return (
    <p className={styles.facts}>
      {alone && <bdi>{channel.bank || channel.name}</bdi>}
      <span>
        {t('deposit.channel.range', {
          min: bidiIsolate(formatAmount(min)),
          max: bidiIsolate(formatAmount(max)),
          currency: channel.currency,
        })}
      </span>
      <span>
        {isZeroFee(feeRate)
          ? t('deposit.channel.fee')
          : t('deposit.channel.fee_rate', { rate: bidiIsolate(formatPercent(feeRate)) })}
      </span>
      <span>{time()}</span>
    </p>
  )
}

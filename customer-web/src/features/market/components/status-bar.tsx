import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatFixed } from '@/format/amount'
import { formatOffset } from '@/format/zone'
import { useLive } from '@/live/live'
import { usePlatformStatus } from '@/live/platform-status'
import { usePreferences } from '@/theme/preferences'
import { cx } from '@/ui/cx'
import { Mark } from '@/ui/icons/mark'
import { Num } from '@/ui/num'
import { TimeText } from '@/ui/time-text'
import { useMarketStatus } from '../api/market-status'
import { SimulatedTag } from './simulated-tag'
import styles from './status-bar.module.css'

/** The footer of the terminal: connection, price source, the sealed end of the tape, and market time. */
export function StatusBar() {
  const { t } = useTranslation()
  const socket = useLive((state) => state.socket)
  const online = usePlatformStatus(({ kind }) => kind !== 'offline')
  const timeZone = usePreferences((preferences) => preferences.timeZone)
  const { data } = useMarketStatus()
  return (
    <footer className={styles.bar}>
      <span className={styles.item}>
        <i className={cx(styles.dot, socket !== 'open' && styles.down)} aria-hidden />
        {t(online ? `market.line.${socket}` : 'market.line.offline')}
      </span>
      <SimulatedTag />
      {data && data.tapeBatch > 0 && (
        <Link to="/proof" className={cx(styles.item, styles.link)}>
          <Mark size={13} />
          {t('market.tape_sealed')} <Num>#{formatFixed(String(data.tapeBatch), 0)}</Num>
          <TimeText at={data.tapeSealedAt} shape="timeSeconds" />
        </Link>
      )}
      <span className={styles.grow} />
      {data && (
        <span className={styles.item}>
          {t('market.market_time')} <TimeText at={data.marketTime} />
          <Link to="/preferenceSet" className={styles.link}>
            <span className="visually-hidden">{t('preferences.zone.title')} </span>
            <Num>{formatOffset(data.marketTime, timeZone)}</Num>
          </Link>
        </span>
      )}
    </footer>
  )
}

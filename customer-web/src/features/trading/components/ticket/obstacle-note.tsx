import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { loginPathFrom } from '@/session/login-path'
import type { OrderState } from '../../model/use-order-state'
import { ClosedText } from './closed-text'
import styles from './order-ticket.module.css'

export type ObstacleNoteProps = { state: OrderState }

/** Why no order can be sent now, in one sentence; renders nothing if one can. */
export function ObstacleNote({ state }: ObstacleNoteProps) {
  const { t } = useTranslation()
  const { pathname, search } = useLocation()
  switch (state.obstacle) {
    case null:
      return null
    case 'guest':
      return (
        <p className={styles.note}>
          <Link to={loginPathFrom(pathname + search)}>{t('trade.obstacle.guest')}</Link>
        </p>
      )
    case 'closed':
      return (
        <p className={styles.note}>
          <ClosedText until={state.until} />
        </p>
      )
    case 'close_only':
      return <p className={styles.note}>{t('error.order.close_only')}</p>
    default:
      return <p className={styles.note}>{t(`trade.obstacle.${state.obstacle}`)}</p>
  }
}

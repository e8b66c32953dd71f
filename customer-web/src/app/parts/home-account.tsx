import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import EquityCard from '@/features/trading/components/account/equity-card'
import { bidiIsolateAuto } from '@/format/bidi-isolate'
import { useAccountLabel } from '@/session/account-name'
import { LOGIN_PATH } from '@/session/login-path'
import { useIsDemo, useSession } from '@/session/session-store'
import { Button } from '@/ui/button'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/icons/icon'
import { useTradePath } from '../nav/trade-link'
import { HOME_PATH, hasRoute } from '../routes'
import styles from './home-account.module.css'
import TryDemo from './try-demo'

const SWITCH_PATH = '/switchAccount'
const REGISTER_PATH = '/register'

/** Traders see what the account is worth, visitors the log-in and sign-up buttons. */
export function HomeAccount() {
  const loggedIn = useSession(({ token }) => token !== null)
  if (!loggedIn) return <WaysIn />
  return <EquityCard account={<AccountChip />} />
}

/** Shows whether the account is real or demo; links to the account switcher. */
function AccountChip() {
  const { t } = useTranslation()
  const demo = useIsDemo()
  const kind = demo ? t('home.account.demo') : t('home.account.real')
  const { label: text, named, full } = useAccountLabel(kind)
  const classes = cx(styles.chip, demo && styles.demo)
  if (!hasRoute(SWITCH_PATH)) return <span className={classes}>{text}</span>
  return (
    <Link
      to={SWITCH_PATH}
      className={classes}
      aria-label={t('home.account.switch', { name: bidiIsolateAuto(full) })}
    >
      {demo && named && `${kind} · `}
      <bdi className={styles.own}>{text}</bdi>
      <Icon name="caret" size={14} />
    </Link>
  )
}

function WaysIn() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const tradePath = useTradePath() ?? HOME_PATH
  if (!hasRoute(LOGIN_PATH)) return null
  return (
    <section className={styles.guest} aria-labelledby="home-guest">
      <h2 id="home-guest">{t('home.guest.title')}</h2>
      <p>{t('home.guest.text')}</p>
      <div className={styles.ways}>
        {hasRoute(REGISTER_PATH) && (
          <Button to={REGISTER_PATH} variant="primary" size="large" block>
            {t('shell.sign_up')}
          </Button>
        )}
        <Button to={LOGIN_PATH} size="large" block>
          {t('shell.log_in')}
        </Button>
      </div>
      <TryDemo className={styles.demoWay} onDone={() => void navigate(tradePath)} />
    </section>
  )
}

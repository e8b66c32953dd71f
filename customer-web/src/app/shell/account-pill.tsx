import ButtonBase from '@mui/material/ButtonBase'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatFixed } from '@/format/amount'
import { bidiIsolateAuto } from '@/format/bidi-isolate'
import { withTexts } from '@/i18n/i18n'
import { useAccount } from '@/live/account-store'
import { useAccountLabel } from '@/session/account-name'
import { useIsDemo } from '@/session/session-store'
import { HIDDEN_AMOUNT, useBalanceHidden } from '@/storage/balance-hidden'
import { Icon } from '@/ui/icons/icon'
import { Num } from '@/ui/num'
import { Tag } from '@/ui/tag'
import styles from './account-pill.module.css'

const AccountPillMenu = lazy(() => withTexts(() => import('./account-pill-menu')))

/** The account in use with its equity; opens the accounts to switch to, and the demo account's top-up. */
export function AccountPill() {
  const { t } = useTranslation()
  const demo = useIsDemo()
  const equity = useAccount(({ statistics }) => statistics?.netValue)
  const hidden = useBalanceHidden((state) => state.hidden)
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [open, setOpen] = useState(false)
  const kind = demo ? t('home.account.demo') : t('home.account.real')
  const { label: name, named, full } = useAccountLabel(kind)
  return (
    <>
      <ButtonBase
        type="button"
        className={styles.pill ?? ''}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={(event) => {
          setAnchor(event.currentTarget)
          setOpen(true)
        }}
        title={t('home.account.switch', { name: bidiIsolateAuto(full) })}
      >
        <Tag tone={demo ? 'demo' : 'neutral'}>
          {demo && named && `${t('shell.demo.tag')} `}
          <bdi className={styles.name}>{demo && name === kind ? t('shell.demo.tag') : name}</bdi>
        </Tag>
        <b className={styles.equity}>
          <span className="visually-hidden">{t('figure.equity')}</span>{' '}
          <Num>{hidden ? HIDDEN_AMOUNT : equity === undefined ? '–' : formatFixed(equity, 2)}</Num>
        </b>
        <span className={styles.unit}>USDT</span>
        <Icon name="caret" size={14} />
      </ButtonBase>
      {anchor && (
        <Suspense>
          <AccountPillMenu
            name={bidiIsolateAuto(full)}
            {...{ anchor, open }}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}

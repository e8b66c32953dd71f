import { useTranslation } from 'react-i18next'
import { useConfigPending, useSwitch } from '@/features/switches/api/front-config'
import { TabGroup } from '@/ui/tab-group'
import { usePhoneSupported } from '../model/use-phone-supported'

/** The ways to log in or register. */
export type ContactWay = 'mail' | 'phone' | 'wallet'

export type ContactTabsProps = {
  active: ContactWay
  /** An Ethereum wallet may be chosen, where wallets are switched on. */
  wallet: boolean
  panelId: string
  onChange: (way: ContactWay) => void
}

/** Tabs of the ways that are offered; nothing where there is one. */
export function ContactTabs({ active, wallet, panelId, onChange }: ContactTabsProps) {
  const { t } = useTranslation()
  // While unknown the tabs keep their room: most platforms have a telephone.
  const pending = useConfigPending()
  const phone = usePhoneSupported() || pending
  const wallets = useSwitch('web3_login.enabled') && wallet
  if (!phone && !wallets) return null
  const ways: readonly ContactWay[] = ['mail', 'phone', 'wallet']
  return (
    <TabGroup
      label={wallets ? t('ethereum.ways') : t('session.contact')}
      panelId={panelId}
      list={[
        { title: t('session.mail') },
        { title: t('session.phone'), hidden: !phone },
        { title: t('ethereum.tab'), hidden: !wallets },
      ]}
      active={ways.indexOf(active)}
      onChange={(index) => onChange(ways[index] ?? 'mail')}
    />
  )
}

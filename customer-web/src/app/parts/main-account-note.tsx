import { useTranslation } from 'react-i18next'
import { useAccountName } from '@/session/account-name'
import { Note } from '@/ui/note'

export type MainAccountNoteProps = { way: 'deposit' | 'withdraw' }

/** Says that money comes in and goes out on the main account, while another one is in use. */
export function MainAccountNote({ way }: MainAccountNoteProps) {
  const { t } = useTranslation()
  const inUse = useAccountName()
  if (!inUse || inUse.number === 1) return null
  return <Note>{t(`wallet.main_account.${way}`)}</Note>
}

import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import { useInfo } from '@/session/info-query'
import { Note } from '@/ui/note'

const numberOf = (info: Wire['UserInfo'] | null) => info?.accountNumber ?? 1

export type MainAccountNoteProps = { way: 'deposit' | 'withdraw' }

/** Says that money comes in and goes out on the main account, while another one is in use. */
export function MainAccountNote({ way }: MainAccountNoteProps) {
  const { t } = useTranslation()
  const number = useInfo(numberOf) ?? 1
  if (number === 1) return null
  return <Note>{t(`wallet.main_account.${way}`)}</Note>
}

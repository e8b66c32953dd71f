import type { QueryClient } from '@tanstack/react-query'
import i18next from 'i18next'
import { MOCK_ACCOUNT_TYPES } from '@/constants'
import { bidiIsolateAuto } from '@/format/bidi-isolate'
import { accountName } from '@/session/account-name'
import { userInfoQuery } from '@/session/info-query'
import { useSession } from '@/session/session-store'
import { toast } from '@/ui/toast/toast-store'

function whenVisible(): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.hidden) return
      document.removeEventListener('visibilitychange', look)
      resolve()
    }
    document.addEventListener('visibilitychange', look)
    look()
  })
}

/** Says which account is in use now, as soon as the trader sees this tab. */
export async function announceAccount(client: QueryClient): Promise<void> {
  await whenVisible()
  const info = await client.fetchQuery(userInfoQuery).catch(() => null)
  const { user } = useSession.getState()
  if (!info || !user) return
  const own = { name: info.accountName ?? '', number: info.accountNumber }
  const account = accountName(i18next.t, own, MOCK_ACCOUNT_TYPES.includes(user.type))
  toast.success(i18next.t('session.switched_elsewhere', { account: bidiIsolateAuto(account) }))
}

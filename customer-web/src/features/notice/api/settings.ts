import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import i18next from 'i18next'
import { api, call, type Wire } from '@/api/client'
import { reasonOf } from '@/api/reason'
import { useSession } from '@/session/session-store'
import { toast } from '@/ui/toast/toast-store'

export type NotificationSetting = Wire['UserMsgSetting']
type Settings = Wire['UserMsgSettings']

const UPDATE = ['notification-setting'] as const
const keyOf = (userId: string | undefined) => ['notification-settings', userId ?? '']

function useUserId(): string | undefined {
  return useSession(({ user }) => user?.userId)
}

/** How the trader receives messages of each category. */
export function useNotificationSettings() {
  return useQuery({
    queryKey: keyOf(useUserId()),
    queryFn: () => call(api.GET('/client/userMsg/findUserMsgSettings')),
  })
}

/** Stores the setting of a category. It shows at once, and the stored one again if that fails. */
export function useUpdateNotificationSetting() {
  const client = useQueryClient()
  const queryKey = keyOf(useUserId())
  return useMutation({
    mutationKey: UPDATE,
    mutationFn: ({ category, inApp, mail }: NotificationSetting) =>
      call(api.POST('/client/userMsg/updateUserMsgSetting', { body: { category, inApp, mail } })),
    onMutate: async (setting) => {
      await client.cancelQueries({ queryKey })
      show(client, queryKey, setting)
    },
    onError: (error) =>
      toast.error(`${i18next.t('notifications.failed')} ${reasonOf(error).reason}`),
    // The last of several changes brings the stored settings of all.
    onSettled: () => {
      if (client.isMutating({ mutationKey: UPDATE }) === 1)
        return client.invalidateQueries({ queryKey })
    },
  })
}

function show(client: QueryClient, queryKey: string[], setting: NotificationSetting): void {
  client.setQueryData<Settings>(
    queryKey,
    (old) =>
      old && { list: old.list.map((one) => (one.category === setting.category ? setting : one)) },
  )
}

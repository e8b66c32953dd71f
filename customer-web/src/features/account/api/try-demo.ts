import { api, call, type Wire } from '@/api/client'
import { currentLanguage } from '@/i18n/i18n'
import { guestId } from '@/storage/guest-id'
import { solutionParams } from './challenge'

/** Opens the demo account of a guest: this device's previous one, or a new one. */
export function tryDemo(solution?: string): Promise<Wire['Session']> {
  return call(
    api.POST('/client/user/miningLogin', {
      body: { deviceId: guestId(), language: currentLanguage().code },
      ...solutionParams(solution),
    }),
  )
}

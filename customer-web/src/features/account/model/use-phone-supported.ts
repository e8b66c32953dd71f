import { useSwitch } from '@/features/switches/api/front-config'

/** Reports whether codes can be sent by SMS; otherwise only e-mail addresses are offered. */
export function usePhoneSupported(): boolean {
  return useSwitch('contact.phone')
}

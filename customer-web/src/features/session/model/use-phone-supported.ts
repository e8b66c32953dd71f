import { useSwitch } from '@/features/switches/api/front-config'

/** Whether codes reach telephones: without a sender of SMS only e-mail addresses are offered. */
export function usePhoneSupported(): boolean {
  return useSwitch('contact.phone')
}

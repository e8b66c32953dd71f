import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { countriesQuery } from '../api/countries'
import { browserRegion } from './browser-region'
import { accountOf, type Contact } from './contact'
import { usePhoneSupported } from './use-phone-supported'

/** The state of the contact field and its account; may start with a known contact. */
export function useContact(known?: Contact) {
  const offered = usePhoneSupported()
  const [typed, setContact] = useState<Contact>(
    () => known ?? { kind: 'mail', mail: '', country: browserRegion() ?? '', phone: '' },
  )
  const contact: Contact = offered ? typed : { ...typed, kind: 'mail' }
  const { data } = useQuery({ ...countriesQuery, enabled: contact.kind === 'phone' })
  const country = data?.find((one) => one.country === contact.country)
  const account = accountOf(contact, country?.code)
  return { contact, setContact, country, account }
}

/** The problem that blocks sending; the server checks the rest. */
export function contactProblem(contact: Contact, account: string): string | null {
  if (account !== '') return null
  return contact.kind === 'phone' && contact.phone.trim() !== ''
    ? 'field.area_code'
    : 'field.required'
}

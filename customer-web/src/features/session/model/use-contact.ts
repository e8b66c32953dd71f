import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { countriesQuery } from '../api/countries'
import { browserRegion } from './browser-region'
import { accountOf, type Contact } from './contact'
import { usePhoneSupported } from './use-phone-supported'

/** The state of the e-mail or telephone field, and the account it stands for; it may begin with a contact that is known. */
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

/** What is missing before anything can be sent; the server checks the rest. */
export function contactProblem(contact: Contact, account: string): string | null {
  if (account !== '') return null
  return contact.kind === 'phone' && contact.phone.trim() !== ''
    ? 'field.area_code'
    : 'field.required'
}

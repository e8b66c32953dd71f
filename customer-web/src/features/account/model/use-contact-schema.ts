import { useQuery } from '@tanstack/react-query'
import { custom, pipe, transform } from 'zod/mini'
import { type Country, countriesQuery } from '../api/countries'
import { browserRegion } from './browser-region'
import { accountOf, type Contact } from './contact'
import { usePhoneSupported } from './use-phone-supported'

/** The first value of a contact field. */
export function startContact(known?: Contact): Contact {
  return known ?? { kind: 'mail', mail: '', country: browserRegion() ?? '', phone: '' }
}

/** A contact as it counts: a phone number only where codes can be sent to it. */
export function useEffectiveContact(): (typed: Contact) => Contact {
  const offered = usePhoneSupported()
  return (typed) => (offered ? typed : { ...typed, kind: 'mail' })
}

/** The country of a contact, from a list that is fetched for phone numbers only. */
export function useContactCountry({ kind, country }: Contact): Country | undefined {
  const { data } = useQuery({ ...countriesQuery, enabled: kind === 'phone' })
  return data?.find((one) => one.country === country)
}

/** The rule of a contact field, which returns the account; the server checks the rest. */
export function useContactSchema() {
  const effective = useEffectiveContact()
  // The field fetches the list.
  const { data: countries } = useQuery({ ...countriesQuery, enabled: false })
  return pipe(
    custom<Contact>(),
    transform((typed, { issues }) => {
      const contact = effective(typed)
      const code = countries?.find(({ country }) => country === contact.country)?.code
      const account = accountOf(contact, code)
      if (account === '') {
        const lacksCode = contact.kind === 'phone' && contact.phone.trim() !== ''
        const message = lacksCode ? 'field.area_code' : 'field.required'
        issues.push({ code: 'custom', input: typed, message })
      }
      return account
    }),
  )
}

export type ContactSchema = ReturnType<typeof useContactSchema>

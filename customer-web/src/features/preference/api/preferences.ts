import { api, call, type Wire } from '@/api/client'

/** The preferences of an account by name, with the times of their changes on the server's clock, ms. */
export type AccountPreferences = Record<string, { value: unknown; changedAt: number }>

const byName = ({ fields }: Wire['Preferences']): AccountPreferences =>
  Object.fromEntries(fields.map(({ name, value, changedAt }) => [name, { value, changedAt }]))

/** Reads the trader's preferences. */
export async function getPreferences(): Promise<AccountPreferences> {
  return byName(await call(api.GET('/client/user/getPreferences')))
}

/** Sends changes; the answer has all preferences after them. */
export async function savePreferences(fields: Wire['Preference'][]): Promise<AccountPreferences> {
  return byName(await call(api.POST('/client/user/savePreferences', { body: { fields } })))
}

/** The files of a language in locales/customer. `common` is loaded at the start, the others with the screens that need them. */
export const namespaces = ['common', 'trading', 'money', 'account', 'support'] as const

export type Namespace = (typeof namespaces)[number]

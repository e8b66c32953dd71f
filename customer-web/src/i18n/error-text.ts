import i18next from 'i18next'
import { joinDecimal, parseDecimal } from '@/format/decimal'
import { currentLanguage } from './i18n'

/** The description of a refused call. */
export type CallError = {
  /** The HTTP status; 0 if no response came. */
  httpStatus: number
  /** Our stable key, for example `withdrawal.below_minimum`. */
  code?: string | undefined
  /** Named arguments for the text of that key. */
  args?: Record<string, string | number> | undefined
  cnMsg?: string | undefined
  enMsg?: string | undefined
}

/** Arguments that are amounts, prices or volumes: formatted like other numbers, with the decimals they came with. */
const NUMBERS = ['fee', 'free', 'left', 'limit', 'max', 'min', 'needed', 'price', 'step']

/**
 * The error text for the trader: our text for the code, else the text for the HTTP status, else the server's
 * Chinese or English text, else a general one.
 */
export function errorText({ httpStatus, code, args, cnMsg, enMsg }: CallError): string {
  const byCode = code ? textOf(`error.${code}`, args) : null
  if (byCode) return byCode
  if (httpStatus !== 200) {
    const byStatus = textOf(httpStatus === 0 ? 'error.network' : `error.http.${httpStatus}`)
    if (byStatus) return byStatus
  }
  const fromServer = currentLanguage().tag.startsWith('zh') ? cnMsg || enMsg : enMsg
  return fromServer || i18next.t('error.general')
}

function textOf(key: string, args: Record<string, string | number> = {}): string | null {
  if (!i18next.exists(key)) return null
  // The key comes from the server, so the types can't know it; exists() above checks it.
  return i18next.t(key as 'error.general', shown(args))
}

function shown(args: Record<string, string | number>): Record<string, string | number> {
  const out = { ...args }
  for (const name of NUMBERS) {
    const number = parseDecimal(out[name])
    if (number) out[name] = joinDecimal(number)
  }
  return out
}

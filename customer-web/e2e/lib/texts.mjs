// The texts of the trader app in a language, for journeys that find things by what is written on them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './server.mjs'

/** All texts of a language by key. */
export function textsOf(lang) {
  const folder = join(root, 'locales', 'customer', lang)
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  return Object.assign({}, ...files.map((text) => JSON.parse(text)))
}

/** A pattern for a whole text whose arguments may have any value. */
export function patternOf(text) {
  const parts = text.split(/\{\{\s*\w+\s*\}\}/)
  const escaped = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^\\s*${escaped.join('.*')}\\s*$`)
}

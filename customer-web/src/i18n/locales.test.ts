import { describe, expect, test } from 'vitest'
import { findLanguage } from './languages'

const files = import.meta.glob<Record<string, string>>('../../../locales/customer/*/*.json', {
  import: 'default',
  eager: true,
})

const codeOf = (path: string) => path.replace(/^.*\/(.*)\/\w+\.json$/, '$1')

const locales = [...new Set(Object.keys(files).map(codeOf))].map((code) => ({
  code,
  texts: Object.fromEntries(
    Object.entries(files).flatMap(([path, texts]) =>
      codeOf(path) === code ? Object.entries(texts) : [],
    ),
  ),
}))

const english = locales.find(({ code }) => code === 'en')?.texts ?? {}

/** "orders.count_other" belongs to the plural "orders.count" if English has that plural. */
function pluralBase(key: string): string | null {
  const base = /^(.*)_(?:zero|one|two|few|many|other)$/.exec(key)?.[1]
  return base && `${base}_other` in english ? base : null
}

const plurals = new Set(Object.keys(english).flatMap((key) => pluralBase(key) ?? []))

/** The keys a language must have: English's, with the language's own plural forms. */
function expectedKeys(code: string): string[] {
  const tag = findLanguage(code)?.tag ?? code
  const forms = new Intl.PluralRules(tag).resolvedOptions().pluralCategories
  const plain = Object.keys(english).filter((key) => pluralBase(key) === null)
  const counted = [...plurals].flatMap((base) => forms.map((form) => `${base}_${form}`))
  return [...plain, ...counted].sort()
}

function args(text: string | undefined): string[] {
  return [
    ...new Set([...(text ?? '').matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map((match) => match[1] ?? '')),
  ].sort()
}

describe.each(locales)('$code', ({ code, texts }) => {
  test('is one of the 26 languages', () => {
    expect(findLanguage(code)?.code).toBe(code)
  })

  test('has the keys of English, no more and no less, in the plural forms of its own', () => {
    const keys = Object.keys(texts)
    const expected = expectedKeys(code)
    expect({
      missing: expected.filter((key) => !keys.includes(key)),
      unknown: keys.filter((key) => !expected.includes(key)),
    }).toEqual({ missing: [], unknown: [] })
  })

  test('has no empty text and no stray space', () => {
    const bad = Object.entries(texts).filter(([, text]) => text === '' || text !== text.trim())
    expect(bad).toEqual([])
  })

  test('uses the same arguments as English', () => {
    const wrong = Object.keys(texts).filter((key) => {
      const base = pluralBase(key)
      const wanted = args(english[base ? `${base}_other` : key])
      const used = args(texts[key])
      // A plural form may omit the number, which is the count or the minutes as written: "one order", "two orders" as a dual.
      const omits = (arg: string) => ['count', 'minutes'].includes(arg) && !used.includes(arg)
      const left = base ? wanted.filter((arg) => !omits(arg)) : wanted
      return left.join() !== used.join()
    })
    expect(wrong).toEqual([])
  })

  test('has no markup and no single braces', () => {
    const bad = Object.entries(texts).filter(([, text]) => /[<>]|(?<!\{)\{(?!\{)|\$t\(/.test(text))
    expect(bad).toEqual([])
  })
})

test('keys are flat and dotted', () => {
  for (const key of Object.keys(english)) {
    expect(key).toMatch(/^[a-z0-9_]+(\.[a-z0-9_-]+)+$/)
  }
})

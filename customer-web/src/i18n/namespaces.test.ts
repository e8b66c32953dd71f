import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { type AppRoute, routes } from '@/app/routes'
import account from '../../../locales/customer/en/account.json'
import common from '../../../locales/customer/en/common.json'
import money from '../../../locales/customer/en/money.json'
import support from '../../../locales/customer/en/support.json'
import trading from '../../../locales/customer/en/trading.json'
import { type Namespace, namespaces } from './namespaces'

const src = resolve(import.meta.dirname, '..')
const texts: Record<Namespace, Record<string, string>> = {
  account,
  common,
  money,
  support,
  trading,
}
const keys = Object.values(texts).flatMap((one) => Object.keys(one))

function fileOf(from: string, path: string): string | null {
  const base = path.startsWith('@/') ? resolve(src, path.slice(2)) : resolve(dirname(from), path)
  return (
    ['', '.ts', '.tsx']
      .map((end) => base + end)
      .find((file) => /\.tsx?$/.test(file) && existsSync(file)) ?? null
  )
}

/** The dependencies of a file: its imports, and lazy imports that don't wait for texts of their own. */
function importsOf(file: string): string[] {
  const code = readFileSync(file, 'utf8')
    .replace(/^import type .*$/gm, '')
    .replace(/withTexts\(\s*\(\) => import\([^)]*\)/g, '')
  const all = /(?:\bfrom |^import |\bimport\()'([^']+)'/gm
  // The table of routes imports screens lazily; their routes state the texts they wait for.
  const lazy = file.endsWith('/app/routes.ts') ? /\bfrom '([^']+)'/gm : all
  return [...code.matchAll(lazy)].flatMap(([, path = '']) => fileOf(file, path) ?? [])
}

function filesBehind(starts: readonly string[]): Set<string> {
  const files = new Set(starts)
  for (const file of files) for (const imported of importsOf(file)) files.add(imported)
  return files
}

/** Shows refusals of the server, after checking that a text exists. */
const errorText = resolve(src, 'i18n/error-text.ts')

/** The text keys in a file, the keys composed from a prefix, and the plural forms of both. */
function keysIn(file: string): string[] {
  if (file === errorText) return []
  const strings = [
    ...readFileSync(file, 'utf8').matchAll(/(['`])([a-z0-9_]+\.[\w.-]*)(?:\1|(\$\{))/g),
  ]
  return strings.flatMap(([, , text = '', more]) =>
    keys.filter((key) =>
      more ? key.startsWith(text) : key === text || key.replace(/_[a-z]+$/, '') === text,
    ),
  )
}

/** The namespaces that hold what files say. */
function namespacesOf(files: Iterable<string>): Namespace[] {
  const said = new Set([...files].flatMap(keysIn))
  return namespaces.filter((name) => Object.keys(texts[name]).some((key) => said.has(key)))
}

/** The file of a route's screen. */
function screenOf({ load }: AppRoute): string {
  const path = /['"`](?:\.|\/src\/app)\/(routes\/[\w-]+)/.exec(String(load))?.[1] ?? ''
  const file = fileOf(resolve(src, 'app/routes.ts'), `./${path}`)
  if (!file) throw new Error(`no file ${path}`)
  return file
}

test('what every screen needs says nothing of a later namespace', () => {
  expect(namespacesOf(filesBehind([resolve(src, 'main.tsx')]))).toEqual(['common'])
})

test.each(routes.map((route) => [route.path, route] as const))(
  '%s waits for what it says, and for no more',
  (_, route) => {
    const said = namespacesOf(filesBehind([screenOf(route)]))
    expect(['common', ...(route.texts ?? [])].sort()).toEqual(
      [...new Set(['common', ...said])].sort(),
    )
  },
)

test('a key is in one namespace', () => {
  const all = Object.values(texts).flatMap((one) => Object.keys(one))
  expect(new Set(all).size).toBe(all.length)
})

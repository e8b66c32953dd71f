import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { routes } from '@/app/routes'
import english from '../../../locales/customer/en.json'
import { partOf } from '../../scripts/split-texts'
import { type TextPart, textParts } from './text-parts'

const src = resolve(import.meta.dirname, '..')
const keys = Object.keys(english)

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

/** The screens that wait for this part at most. */
function screensOf(part: TextPart): string[] {
  const open = textParts.slice(0, textParts.indexOf(part) + 1)
  return routes
    .filter(({ texts }) => texts && open.includes(texts))
    .flatMap(
      ({ load }) =>
        fileOf(
          resolve(src, 'app/routes.ts'),
          /['"`](?:\.|\/src\/app)\/(routes\/[\w-]+)/.exec(String(load))?.[1] ?? '',
        ) ?? [],
    )
}

test.each(['first', 'trade'] as const)(
  'screens of the %s part say nothing of a later one',
  (part) => {
    const screens = screensOf(part)
    expect(screens).not.toEqual([])
    const open = textParts.slice(0, textParts.indexOf(part) + 1)
    const late = [...filesBehind([resolve(src, 'main.tsx'), ...screens])].flatMap((file) =>
      keysIn(file)
        .filter((key) => !open.includes(partOf(key)))
        .map((key) => `${file.slice(src.length + 1)}: ${key}`),
    )
    expect([...new Set(late)]).toEqual([])
  },
)

test('every part of a language holds something, and together they hold all', () => {
  const counts = textParts.map((part) => keys.filter((key) => partOf(key) === part).length)
  expect(counts.every((count) => count > 0)).toBe(true)
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(keys.length)
})

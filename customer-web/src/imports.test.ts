import { expect, test } from 'vitest'

/** The folders from the ground up: each may import only from those above it in this list. */
const layers = [
  'constants',
  'storage',
  'format',
  'i18n',
  'theme',
  'api',
  'session',
  'ui',
  'live',
  'features/list',
  'features/picture',
  'features/switches',
  'features/preference',
  'features/export',
  'features/restriction',
  'features/passkey',
  'features/account',
  'features/notice',
  'features/market',
  'features/chart',
  'features/drawing',
  'features/receipt',
  'features/proof',
  'features/wallet',
  'features/trading',
  'features/security',
  'features/ethereum',
  'features/personal',
  'features/bonus',
  'features/score',
  'features/invitation',
  'features/payee',
  'features/deposit',
  'features/withdraw',
  'features/identity',
  'features/kefu',
  'app/nav',
  'app/parts',
  'app/shell',
  'app/routes',
  'main',
  'preview',
]

const files = import.meta.glob<string>(
  ['./**/*.{ts,tsx}', '!./**/*.test.{ts,tsx}', '!./testing/**'],
  {
    query: '?raw',
    import: 'default',
    eager: true,
  },
)

function layerOf(path: string): string {
  const [first = '', second = '', third] = path.split('/')
  if (first === 'features') return `features/${second}`
  if (first === 'app') return third === undefined ? 'app' : `app/${second}`
  return first.split('.')[0] ?? ''
}

/** The files beside the folders of app, such as the table of routes, may import from all of these and may be imported by them. */
const fromIndex = (file: string) =>
  layers.indexOf(layerOf(file) === 'app' ? 'app/routes' : layerOf(file))
const targetIndex = (file: string) =>
  layers.indexOf(layerOf(file) === 'app' ? 'app/nav' : layerOf(file))

/** The file that a specifier names, relative to this folder; null for a library. */
function resolveFrom(file: string, specifier: string): string | null {
  if (specifier.startsWith('@/')) return specifier.slice(2)
  if (!specifier.startsWith('.')) return null
  return new URL(specifier, `file:///${file}`).pathname.slice(1)
}

function importsOf(text: string): string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map(
    ([, name = '']) => name,
  )
}

function uphillImports(sources: Record<string, string>): string[] {
  return Object.entries(sources).flatMap(([path, text]) => {
    const file = path.replace(/^\.\//, '')
    return importsOf(text).flatMap((specifier) => {
      const target = resolveFrom(file, specifier)
      if (target === null) return []
      return targetIndex(target) > fromIndex(file) ? [`${file} imports ${target}`] : []
    })
  })
}

test('every folder has a layer', () => {
  const missing = Object.keys(files)
    .map((path) => layerOf(path.slice(2)))
    .filter((layer) => layer !== 'vite-env' && layer !== 'app' && !layers.includes(layer))
  expect([...new Set(missing)]).toEqual([])
})

test('imports go downhill only', () => {
  expect(uphillImports(files)).toEqual([])
})

test('an uphill import is found, also a relative, a lazy and a style one', () => {
  expect(
    uphillImports({
      './ui/button.tsx': "import { useLive } from '@/live/live'",
      './features/market/row.tsx': "const sheet = () => import('../trading/sheet')",
      './features/wallet/card.tsx': "import styles from '@/features/deposit/card.module.css'",
      './features/deposit/card.tsx': "import { x } from '@/features/wallet/api/money'",
      './app/parts/row.tsx': "import { Header } from '../shell/header'",
      './app/nav/badge.ts': "import { hasRoute } from '../routes'",
      './app/routes/home.tsx': "import { Row } from '../parts/row'",
    }),
  ).toEqual([
    'ui/button.tsx imports live/live',
    'features/market/row.tsx imports features/trading/sheet',
    'features/wallet/card.tsx imports features/deposit/card.module.css',
    'app/parts/row.tsx imports app/shell/header',
  ])
})

/** The libraries that a file and its static imports need. */
function librariesOf(file: string, sources: Record<string, string>): string[] {
  const text = sources[`./${file}.ts`] ?? ''
  const specifiers = [...text.matchAll(/^import (?!type )[^(]*?'([^']+)'/gm)].map(
    ([, name = '']) => name,
  )
  return specifiers.flatMap((specifier) => {
    const target = resolveFrom(file, specifier)
    return target === null ? [specifier] : librariesOf(target, sources)
  })
}

test('what fetches the first screen before the libraries needs none of them', () => {
  expect(librariesOf('app/first-screen', files)).toEqual([])
})

test('a library behind an import is found', () => {
  const sources = {
    './app/a.ts': "import { b } from './b'\nimport type { C } from 'react'",
    './app/b.ts': "import { matchPath } from 'react-router'\nconst lazy = () => import('big')",
  }
  expect(librariesOf('app/a', sources)).toEqual(['react-router'])
})

import { expect, test } from 'vitest'
import config from '../vite.config'

test('the build has only plugins that change no dependency', () => {
  const plugins = (config.plugins as unknown[]).flat() as { name: string }[]
  const names = plugins.map(({ name }) => name.split(':')[0])
  expect([...new Set(names)].sort()).toEqual(['@tailwindcss/vite', 'vite'])
})

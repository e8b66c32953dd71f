import { getSupportedOverlays } from 'klinecharts'
import { expect, test } from 'vitest'
import { sketchers } from './sketchers'
import { groups, tools } from './tools'

test('there are 46 tools, each once, and none of a group without', () => {
  expect(tools).toHaveLength(46)
  expect(new Set(tools.map(({ key }) => key)).size).toBe(46)
  expect([...new Set(tools.map(({ group }) => group))]).toEqual(groups)
})

test('each is sketched here or by the chart library', () => {
  const library = getSupportedOverlays()
  for (const { key } of tools) expect(key in sketchers || library.includes(key), key).toBe(true)
})
